import { ifUnavailable } from '../../errors.js';
import type { RedisStore } from '../client/store.js';

/** Exists while any worker is alive. */
const KEY = 'weather:workers';
const BEAT_MS = 1000;
/** So many looks without a worker, and nobody will come for the jobs that wait. */
const ABSENT_BEATS = 15;
/** A worker that was silent for so long is taken for dead. */
const SILENCE_MS = 3000;

/**
 * Shows the others that a worker is alive, until the returned function is called.
 * @param greet tells them at once that there is one now
 */
export function showWorker(store: RedisStore, greet: () => Promise<void>): () => void {
  const beat = () => {
    store.run(KEY, (redis) => redis.set(KEY, '1', 'PX', SILENCE_MS)).catch(() => undefined);
  };
  const hello = () => {
    beat();
    greet().catch(() => undefined);
  };
  hello();
  store.client.on('ready', hello);
  const beats = setInterval(beat, BEAT_MS);
  beats.unref();
  return () => {
    clearInterval(beats);
    store.client.off('ready', hello);
  };
}

export interface WorkersPresent {
  /** Whether any worker was alive a second ago. */
  readonly now: boolean;
  /** A worker has shown otherwise that it is alive. */
  seen(): void;
  close(): void;
}

/**
 * Watches whether any worker is alive.
 * @param onAbsent called each time that none has shown for a while, and after as long again
 */
export function watchWorkers(store: RedisStore, onAbsent: () => void): WorkersPresent {
  let present = false;
  let absentBeats = 0;

  async function look(): Promise<void> {
    // While Redis is unavailable nothing is known, and no worker is asked for anything.
    const exists = await ifUnavailable(
      store.run(KEY, (redis) => redis.exists(KEY)),
      undefined,
    );
    if (exists === undefined) return;
    present = exists === 1;
    absentBeats = present ? 0 : absentBeats + 1;
    if (absentBeats > 0 && absentBeats % ABSENT_BEATS === 0) onAbsent();
  }
  const lookNow = () => void look().catch(() => undefined);
  store.client.on('ready', lookNow);
  const beats = setInterval(lookNow, BEAT_MS);
  beats.unref();

  return {
    get now() {
      return present;
    },
    seen() {
      present = true;
      absentBeats = 0;
    },
    close() {
      clearInterval(beats);
      store.client.off('ready', lookNow);
    },
  };
}
