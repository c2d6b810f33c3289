import type { GuardedStore } from '../client/guarded-store.js';
import type { RedisStore } from '../client/store.js';

/** Exists while any worker is alive. */
const KEY = 'weather:workers';
const BEAT_MS = 1000;
/** So many looks without a worker, and nobody will come for the jobs that wait. */
const ABSENT_LOOKS = 15;
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
 * Watches whether any worker is alive. While Redis is unavailable nothing new is known.
 * @param onAbsent called when none has shown for a while, and again after as long
 */
export function watchWorkers(store: GuardedStore, onAbsent: () => void): WorkersPresent {
  let present = false;
  let absentLooks = 0;
  const watched = store.watch(KEY, (value) => {
    present = value !== null;
    absentLooks = present ? 0 : absentLooks + 1;
    if (absentLooks > 0 && absentLooks % ABSENT_LOOKS === 0) onAbsent();
  });
  return {
    get now() {
      return present;
    },
    seen() {
      present = true;
      absentLooks = 0;
    },
    close() {
      watched.stop();
    },
  };
}
