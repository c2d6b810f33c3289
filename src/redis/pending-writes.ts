import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../weather/types.js';

/**
 * Milliseconds between two attempts. Longer: searches appear later in their lists. Shorter: more load on a Redis that
 * recovers.
 */
const RETRY_EVERY_MS = 100;
/**
 * Milliseconds after which a failed write is retried for the last time, which takes up to a second more. Redis
 * is used again within this time after a transient delay. Longer: an outage fills more memory.
 */
const RETRY_FOR_MS = 2000;
/** Maximum number of pending items, in about 20 MB: those of three seconds at 7,000 items per second. */
const MAX_PENDING = 20_000;

/**
 * Makes a write. Returns false if it must be retried.
 * @param isLast whether it is not retried any more
 */
type Write = (isLast: boolean) => Promise<boolean>;

/** Retries commutative writes in the background, in any order. */
export function createPendingWrites(clock: Pick<Clock, 'monotonic'>) {
  let pendingItems = 0;

  async function retry(items: number, write: Write): Promise<void> {
    const until = clock.monotonic() + RETRY_FOR_MS;
    pendingItems += items;
    let isDone = false;
    while (!isDone) {
      await sleep(RETRY_EVERY_MS);
      const isLast = clock.monotonic() >= until;
      isDone = (await write(isLast)) || isLast;
    }
    pendingItems -= items;
  }

  return {
    /**
     * Makes a write. If it fails, retries it in the background, or drops it if too many are pending.
     * @param items size of the write
     * @returns resolves after the first attempt
     */
    async add(items: number, write: Write): Promise<void> {
      if ((await write(false)) || pendingItems + items > MAX_PENDING) return;
      void retry(items, write);
    },
    /** Waits until no write is pending, at most `limitMs` milliseconds. */
    async drain(limitMs: number): Promise<void> {
      const until = clock.monotonic() + limitMs;
      while (pendingItems > 0 && clock.monotonic() < until) await sleep(RETRY_EVERY_MS);
    },
  };
}
