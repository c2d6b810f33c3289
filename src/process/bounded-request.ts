import { IncomingMessage } from 'node:http';

/** Maximum number of chunks, or packets, in which a body may arrive. Each takes 1 µs of CPU time. */
export const MAX_PIECES = 1000;
/** Bytes that are received after the first piece, with the headers of chunks and their extensions. */
const MAX_BYTES = 64 * 1024;

/**
 * A request whose body is received up to a limit (option `IncomingMessage` of `http.createServer`). Node.js limits headers,
 * the extensions of one chunk, and trailers, but not bodies. Above the limit, the request emits `excess` once, and its
 * connection is not read any more.
 *
 * It is a subclass, because Node.js parses all that it has read, 64 KB, and passes each piece to `push`: up to 10,900 pieces.
 * A request that is paused stores each of them and prepares the next read, which takes several times as long as to ignore it.
 */
export class BoundedRequest extends IncomingMessage {
  #pieces = 0;
  #firstBytes: number | undefined;
  #isExcessive = false;

  /** Whether the client has sent more than is received. */
  get isExcessive(): boolean {
    return this.#isExcessive;
  }

  override push(piece: Buffer | null): boolean {
    if (piece === null) return super.push(null);
    if (this.#isExcessive) return true;
    const { bytesRead } = this.socket;
    this.#pieces += 1;
    this.#firstBytes ??= bytesRead;
    if (this.#pieces <= MAX_PIECES && bytesRead - this.#firstBytes <= MAX_BYTES) {
      return super.push(piece);
    }
    this.#isExcessive = true;
    this.emit('excess');
    return false;
  }

  override _read(size: number): void {
    if (!this.#isExcessive) super._read(size);
  }
}
