import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two attempts. Shorter: more load on a Redis that recovers. Longer: lists are late. */
const RETRY_EVERY_MS = 100;
/**
 * Milliseconds for which a failed write is retried. Redis is used again within this time after a transient
 * delay. Longer: an outage fills more memory.
 */
const RETRY_FOR_MS = 3000;
/** Maximum number of pending items, in about 20 MB: those of three seconds at 7,000 items per second. */
const MAX_PENDING = 20_000;

/** A write. @returns false if it must be retried */
type Write = () => Promise<boolean>;

interface PendingWrite {
  items: number;
  write: Write;
  until: number;
}

/** Retries commutative writes in the background, in any order. */
export function createPendingWrites() {
  /** Those that are not in flight. */
  let waiting: PendingWrite[] = [];
  let pendingItems = 0;
  let isRetrying = false;

  async function retry(pending: PendingWrite): Promise<void> {
    const isOver = (await pending.write()) || performance.now() >= pending.until;
    if (isOver) pendingItems -= pending.items;
    else waiting.push(pending);
  }

  async function retryAll(): Promise<void> {
    if (isRetrying) return;
    isRetrying = true;
    while (pendingItems > 0) {
      await sleep(RETRY_EVERY_MS);
      const due = waiting;
      waiting = [];
      await Promise.all(due.map(retry));
    }
    isRetrying = false;
  }

  return {
    /**
     * Makes a write. If it fails, retries it in the background, or drops it when too many are pending.
     * @param items size of the write
     * @returns resolves after the first attempt
     */
    async add(items: number, write: Write): Promise<void> {
      if ((await write()) || pendingItems + items > MAX_PENDING) return;
      pendingItems += items;
      waiting.push({ items, write, until: performance.now() + RETRY_FOR_MS });
      void retryAll();
    },
    /** Waits until no write is pending, at most `limitMs` milliseconds. */
    async drain(limitMs: number): Promise<void> {
      const until = performance.now() + limitMs;
      while (pendingItems > 0 && performance.now() < until) await sleep(RETRY_EVERY_MS);
    },
  };
}
