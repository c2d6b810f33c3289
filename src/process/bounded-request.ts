import { IncomingMessage } from 'node:http';

/**
 * Maximum number of pieces in which a body may arrive: its chunks, or the parts that the network delivers. More: a body
 * in chunks of one byte takes more CPU time, 1 µs for each. Fewer: a body that a bad network splits is rejected.
 */
export const MAX_PIECES = 1000;
/**
 * Maximum number of bytes that are received after the first part of a body, also after the response: data, and the
 * headers of chunks with their extensions. Larger: a client that ignores its response occupies the process for longer.
 * Smaller: a client that sends too much loses its connection more often.
 */
const MAX_BYTES = 64 * 1024;

/**
 * A request whose body is received up to a limit (option `IncomingMessage` of `http.createServer`). Node.js limits headers,
 * the extensions of one chunk, and trailers, but not bodies. Above the limit, the request emits `excess` once, and its
 * connection is not read any more.
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
    // Node.js has stopped reading, but parses the rest of what it has read.
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
