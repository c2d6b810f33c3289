import type { Writable } from 'node:stream';

/** A batch of this many characters is written at once. */
const BATCH_LENGTH = 16 * 1024;
/** What may wait, in characters, while nobody reads. A batch that is being written comes on top. */
const MAX_WAITING_LENGTH = 1024 * 1024;

/**
 * Writes log lines to a stream in batches: one write a line would cost more than the rest of a cache
 * hit. A batch is what one round of the event loop brings: many lines under load, and without load
 * each line goes out at once. A reader that stalls never stops the process: lines that find no room
 * are dropped and counted.
 * @param tellDropped told how many lines were dropped, once there is room for a line again
 */
export function createLogOutput(stream: Writable, tellDropped: (dropped: number) => void) {
  let waiting = '';
  let isWriting = false;
  let dropped = 0;
  let scheduled: NodeJS.Immediate | undefined;
  let flushed: (() => void)[] = [];

  function writeBatch(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (isWriting || waiting === '') return;
    const batch = waiting;
    waiting = '';
    isWriting = true;
    stream.write(batch, (error) => {
      isWriting = false;
      if (error) dropped += linesOf(batch);
      else if (dropped > 0) {
        // What waits goes first: it may leave no room for the line that tells.
        writeBatch();
        tell();
      }
      next();
    });
  }

  function tell(): void {
    const count = dropped;
    dropped = 0;
    tellDropped(count);
  }

  function next(): void {
    if (isWriting) return;
    if (waiting === '') {
      const callbacks = flushed;
      flushed = [];
      for (const done of callbacks) done();
    } else if (flushed.length > 0 || waiting.length >= BATCH_LENGTH) writeBatch();
    else scheduled ??= setImmediate(writeBatch);
  }

  // The failure of a write is told to that write; a closed reader must not end the process.
  stream.on('error', () => undefined);
  // What a plain `process.exit` leaves behind: the system takes it at once unless the reader stalls.
  process.once('exit', () => {
    if (waiting !== '') stream.write(waiting);
  });

  return {
    write(line: string) {
      if (waiting.length + line.length > MAX_WAITING_LENGTH) {
        dropped += 1;
        return;
      }
      waiting += line;
      // A write that ends sees to what has come meanwhile.
      if (isWriting) return;
      if (waiting.length >= BATCH_LENGTH) writeBatch();
      else scheduled ??= setImmediate(writeBatch);
    },
    /** Calls back when every line has been written. A reader that stalls delays it without bound. */
    flush(done: () => void) {
      flushed.push(done);
      if (isWriting) return;
      if (waiting === '') next();
      else writeBatch();
    },
  };
}

function linesOf(batch: string): number {
  return batch.split('\n').length - 1;
}
