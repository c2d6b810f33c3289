import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.js';
import { STORE_TIME_MS, type StoreTime } from '../weather/scope.js';
import { withTimeLimit } from '../time-limit.js';
import { isReply, stateBy } from './client/errors.js';
import { LASTING_SLOW_MS } from './client/telling.js';
import { RETRY_MS } from './client/waits.js';

/**
 * What was answered is recorded, if need be so much later: for as long as a Redis that is late may have a
 * hiccup. A Redis that was late for 1.6 s is used again after 2.1 s.
 */
export const KEPT_MS = LASTING_SLOW_MS;
/** Most recordings that wait for a node to take writes again. */
const MAX_WAITING = 1000;

/**
 * Writes that nobody waits for, and that a hiccup of Redis must not lose.
 * @param options.keyOf recordings of one key are written in their order
 * @param options.isWritable whether the node of a key takes writes, or did a moment ago
 * @param options.send throws StoreUnavailableError
 */
export function createRecordings<Item>(options: {
  keyOf: (item: Item) => string;
  isWritable: (key: string) => boolean;
  send: (item: Item, time: StoreTime) => Promise<void>;
}) {
  const { keyOf, isWritable, send } = options;
  /** Each with its key. */
  const underWay = new Map<Promise<void>, string>();
  /** By key: the last one that waits to be sent, or to be sent again. */
  const last = new Map<string, Promise<void>>();
  let waiting = 0;

  /** @returns whether it is over: written, or refused */
  async function attempt(item: Item, until: number): Promise<boolean> {
    try {
      const storeMs = Math.max(1, until - performance.now());
      await send(item, { storeMs, insists: true });
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // What Redis refuses for no state of its own, it would refuse again.
      return isReply(error.cause) && !stateBy(error.cause);
    }
  }

  async function retry(item: Item, until: number, before = sleep(RETRY_MS)): Promise<void> {
    waiting += 1;
    await before;
    while (performance.now() < until) {
      if (isWritable(keyOf(item)) && (await attempt(item, until))) break;
      await sleep(RETRY_MS);
    }
    waiting -= 1;
  }

  async function write(item: Item): Promise<void> {
    const key = keyOf(item);
    const until = performance.now() + KEPT_MS;
    // Behind one that waits: the order of searches is that of their answers.
    if (!last.has(key) && isWritable(key) && (await attempt(item, until))) return;
    if (waiting >= MAX_WAITING) return;
    const retried = retry(item, until, last.get(key));
    last.set(key, retried);
    await retried;
    if (last.get(key) === retried) last.delete(key);
  }

  return {
    /** Resolves when the item is written, or dropped. */
    add(item: Item): Promise<void> {
      const written = write(item);
      underWay.set(written, keyOf(item));
      return written.finally(() => underWay.delete(written));
    },
    /**
     * Resolves when no recording of the key, or none at all, is on its way any more.
     * @throws StoreUnavailableError when the time is up
     */
    async settled(key?: string, time: StoreTime = { storeMs: STORE_TIME_MS }): Promise<void> {
      const ended = [...underWay].filter(([, of]) => key === undefined || of === key);
      if (ended.length === 0) return;
      const began = performance.now();
      const late = () => new StoreUnavailableError('Recordings wait for Redis');
      const all = () => Promise.all(ended.map(([written]) => written));
      await withTimeLimit({ limitMs: Math.max(0, time.storeMs), late }, all);
      time.storeMs -= performance.now() - began;
    },
  };
}
