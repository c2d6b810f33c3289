import type { GuardedStore } from '../client/guarded-store.js';
import type { RedisStore } from '../client/store.js';
import type { Clock } from '../../weather/types.js';

/** Exists while any worker is alive. */
const KEY = 'weather:workers';
const BEAT_MS = 1000;
const RETRY_MS = 100;
/** After a start, a worker may connect a moment later than this process. */
const LOOKS_TO_BE_SURE = 2;
/** So many looks without a worker, and nobody will come for the jobs that wait. */
const ABSENT_LOOKS = 15;
/** A worker that was silent for so long is taken for dead. */
const SILENCE_MS = 3000;

/**
 * Shows the others that a worker is alive, until the returned function is called.
 * @param greet tells them at once that there is one now
 * @param isWell whether it can take jobs: one that cannot counts as none
 */
export function showWorker(
  store: RedisStore,
  greet: () => Promise<void>,
  isWell: () => boolean,
): () => void {
  const beat = () => store.run(KEY, (redis) => redis.set(KEY, '1', 'PX', SILENCE_MS));
  let retry: NodeJS.Timeout | undefined;
  const hello = () => {
    clearTimeout(retry);
    Promise.all([beat(), greet()]).catch(() => {
      // Soon again: until it is heard, replicas may fetch without the worker.
      retry = setTimeout(hello, RETRY_MS).unref();
    });
  };
  hello();
  store.client.on('ready', hello);
  const beats = setInterval(() => {
    if (isWell()) beat().catch(() => undefined);
  }, BEAT_MS);
  beats.unref();
  return () => {
    clearTimeout(retry);
    clearInterval(beats);
    store.client.off('ready', hello);
  };
}

export interface WorkersPresent {
  /** Whether to count on a worker: until it is known that there is none. */
  readonly now: boolean;
  /** A worker has shown otherwise that it is alive. */
  seen(): void;
  /**
   * A job waited in vain. Unless a worker has shown lately that it is only busy, none is counted on
   * for as long as a dead one may still seem alive.
   * @param waitedMs how long the job waited
   * @returns whether none is counted on now
   */
  doubt(waitedMs: number): boolean;
  close(): void;
}

/**
 * Watches whether any worker is alive. While Redis is unavailable nothing new is known.
 * @param onAbsent called when none has shown for a while, and again after as long
 */
export function watchWorkers(
  store: GuardedStore,
  clock: Clock,
  onAbsent: () => void,
): WorkersPresent {
  let absentLooks = 0;
  let seenAt = -Infinity;
  let doubtedUntil = -Infinity;
  const watched = store.watch(KEY, (value) => {
    absentLooks = value === null ? absentLooks + 1 : 0;
    if (absentLooks > 0 && absentLooks % ABSENT_LOOKS === 0) onAbsent();
  });
  return {
    get now() {
      return absentLooks < LOOKS_TO_BE_SURE && clock.monotonic() >= doubtedUntil;
    },
    seen() {
      seenAt = clock.monotonic();
      absentLooks = 0;
      doubtedUntil = -Infinity;
    },
    doubt(waitedMs) {
      const now = clock.monotonic();
      if (now - seenAt < waitedMs) return false;
      doubtedUntil = now + SILENCE_MS;
      return true;
    },
    close() {
      watched.stop();
    },
  };
}
