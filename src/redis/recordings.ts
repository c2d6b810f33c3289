import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.js';
import { STORE_TIME_MS, type StoreTime } from '../weather/scope.js';
import { withTimeLimit } from '../time-limit.js';
import { isReply, stateBy } from './client/errors.js';
import { RETRY_MS } from './client/waits.js';

/**
 * What was answered is recorded, if need be so much later. Doubled: after an outage of up to four
 * seconds no search is missing, and requests of its last four seconds are kept in memory.
 */
export const KEPT_MS = 2000;
/** Most recordings that wait for a node to take writes again. */
const MAX_WAITING = 1000;

interface Waiting<Item> {
  item: Item;
  until: number;
  done: () => void;
}

/** Writes that nobody waits for, and that a hiccup of Redis must not lose. */
export interface Recordings<Item> {
  /** Resolves when the item is written, or dropped. */
  add(item: Item): Promise<void>;
  /**
   * Resolves when no such item is on its way any more.
   * @throws StoreUnavailableError when the time is up
   */
  settled(which: (item: Item) => boolean, time?: StoreTime): Promise<void>;
}

/**
 * @param options.isWritable whether the node of an item takes writes, or did a moment ago
 * @param options.send throws StoreUnavailableError
 */
export function createRecordings<Item>(options: {
  isWritable: (item: Item) => boolean;
  send: (item: Item, time: StoreTime) => Promise<void>;
}): Recordings<Item> {
  const { isWritable, send } = options;
  /** In the order in which they came. */
  let waiting: Waiting<Item>[] = [];
  const underWay = new Map<Promise<void>, Item>();
  let isLooking = false;

  function wait(entry: Waiting<Item>): void {
    waiting.push(entry);
    if (waiting.length > MAX_WAITING) waiting.shift()?.done();
    if (!isLooking) void look();
  }

  async function look(): Promise<void> {
    isLooking = true;
    while (waiting.length > 0) {
      await sleep(RETRY_MS);
      const now = performance.now();
      const looked = waiting;
      waiting = [];
      for (const entry of looked) {
        if (now >= entry.until) entry.done();
        else if (isWritable(entry.item)) void attempt(entry);
        else waiting.push(entry);
      }
    }
    isLooking = false;
  }

  async function attempt(entry: Waiting<Item>): Promise<void> {
    try {
      const storeMs = Math.max(1, entry.until - performance.now());
      await send(entry.item, { storeMs, insists: true });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // What Redis refuses for no state of its own, it would refuse again.
      const isRefused = isReply(error.cause) && !stateBy(error.cause);
      if (!isRefused && performance.now() < entry.until) {
        wait(entry);
        return;
      }
    }
    entry.done();
  }

  return {
    add(item) {
      const written = new Promise<void>((done) => {
        const entry = { item, until: performance.now() + KEPT_MS, done };
        // Behind those that wait: the order of searches is that of their answers.
        if (waiting.length === 0 && isWritable(item)) void attempt(entry);
        else wait(entry);
      });
      underWay.set(written, item);
      return written.finally(() => underWay.delete(written));
    },
    async settled(which, time = { storeMs: STORE_TIME_MS }) {
      const ended = [...underWay].filter(([, item]) => which(item)).map(([written]) => written);
      if (ended.length === 0) return;
      const began = performance.now();
      const late = () => new StoreUnavailableError('Recordings wait for Redis');
      await withTimeLimit({ limitMs: Math.max(0, time.storeMs), late }, () => Promise.all(ended));
      time.storeMs -= performance.now() - began;
    },
  };
}
