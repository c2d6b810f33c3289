import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Maximum number of characters that wait for a reader. Further records are dropped. */
const MAX_WAITING_LENGTH = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Creates the destination of the log. It writes the records of an event loop iteration at its end,
 * never waits for their reader, and counts dropped records. `pino.destination` tries a full pipe
 * again only after 100 ms, and drops records under load even if they are read.
 * @param onDropped logs the number of dropped records
 */
export function createOutput(
  stream: Writable & { fd: number },
  onDropped: (dropped: number) => void,
) {
  const writeAll = (text: string) => {
    stream.write(text);
    return 0;
  };
  const write = stream instanceof Socket ? writeAll : fileWriter(stream.fd);
  let lines = '';
  let dropped = 0;

  /** Returns the number of records that were not written. */
  function writeLines(): number {
    const text = lines;
    lines = '';
    return write(text);
  }

  function report(): void {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onDropped(count);
    if (writeLines() > 0) dropped = count;
  }

  function flush(): void {
    if (lines === '') return;
    const lost = writeLines();
    dropped += lost;
    if (lost === 0 && stream.writableLength === 0) report();
  }

  // A full disk, or a closed pipe, must not end the process.
  stream.on('error', () => undefined);
  stream.on('drain', report);
  process.once('exit', flush);
  return {
    write(line: string): void {
      if (stream.writableLength + lines.length > MAX_WAITING_LENGTH) {
        dropped += 1;
        return;
      }
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    /** Calls back when every record is written. If the reader stalls, that may be never. */
    flush(done: () => void): void {
      flush();
      stream.write('', done);
    },
  };
}

/**
 * Returns a function that writes text to a file, and returns the number of lines that it could not
 * complete. The stream of Node.js ignores a partial write.
 */
function fileWriter(fd: number): (text: string) => number {
  let isCut = false;
  return (text) => {
    const start = isCut ? 1 : 0;
    const bytes = Buffer.from(isCut ? `\n${text}` : text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch {
      // There is no space, or the disk has failed.
    }
    if (written > 0) isCut = bytes[written - 1] !== LINE_FEED;
    return bytes.subarray(Math.max(start, written)).filter((byte) => byte === LINE_FEED).length;
  };
}
