import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.js';
import { STORE_TIME_MS, type StoreTime } from '../weather/scope.js';
import { withTimeLimit } from '../time-limit.js';
import type { Batch } from './batcher.js';
import { isReply, stateBy } from './client/errors.js';
import { LASTING_SLOW_MS } from './client/telling.js';
import { RETRY_MS } from './client/waits.js';

/**
 * What was answered is recorded, if need be so much later: for as long as a Redis that is late may have a
 * hiccup. A Redis that was late for 1.6 s is used again after 2.1 s.
 */
export const KEPT_MS = LASTING_SLOW_MS;
/** About so many recordings wait for a node to take writes again. */
const MAX_WAITING = 1000;

/**
 * Writes that nobody waits for, and that a hiccup of Redis must not lose. They come in batches, each of one group.
 * @param options.keyOf what an item writes to
 * @param options.groupOf batches of one group are written in their order
 * @param options.isWritable whether the node of a key takes writes, or did a moment ago
 * @param options.send throws StoreUnavailableError
 */
export function createRecordings<Item>(options: {
  keyOf: (item: Item) => string;
  groupOf: (item: Item) => string;
  isWritable: (key: string) => boolean;
  send: (batch: Batch<Item>, time: StoreTime) => Promise<void>;
}) {
  const { keyOf, groupOf, isWritable, send } = options;
  let underWay: { batch: Batch<Item>; written: Promise<void> }[] = [];
  /** By group: the last batch that waits to be sent, or to be sent again. */
  const last = new Map<string, Promise<void>>();
  let waiting = 0;

  /** @returns whether it is over: written, or refused */
  async function attempt(batch: Batch<Item>, until: number): Promise<boolean> {
    try {
      const storeMs = Math.max(1, until - performance.now());
      await send(batch, { storeMs, insists: true });
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // What Redis refuses for no state of its own, it would refuse again.
      return isReply(error.cause) && !stateBy(error.cause);
    }
  }

  async function retry(batch: Batch<Item>, until: number, before = sleep(RETRY_MS)): Promise<void> {
    waiting += batch.length;
    await before;
    while (performance.now() < until) {
      if (isWritable(keyOf(batch[0])) && (await attempt(batch, until))) break;
      await sleep(RETRY_MS);
    }
    waiting -= batch.length;
  }

  async function write(batch: Batch<Item>): Promise<void> {
    const group = groupOf(batch[0]);
    const until = performance.now() + KEPT_MS;
    // Behind one that waits: the order of searches is that of their answers.
    if (!last.has(group) && isWritable(keyOf(batch[0])) && (await attempt(batch, until))) return;
    if (waiting >= MAX_WAITING) return;
    const retried = retry(batch, until, last.get(group));
    last.set(group, retried);
    await retried;
    if (last.get(group) === retried) last.delete(group);
  }

  return {
    /** Resolves when the batch is written, or dropped. */
    add(batch: Batch<Item>): Promise<void> {
      const written = write(batch).then(() => {
        underWay = underWay.filter((other) => other.batch !== batch);
      });
      underWay.push({ batch, written });
      return written;
    },
    /**
     * Resolves when no recording of the key, or none at all, is on its way any more.
     * @throws StoreUnavailableError when the time is up
     */
    async settled(key?: string, time: StoreTime = { storeMs: STORE_TIME_MS }): Promise<void> {
      const ofKey = (item: Item) => key === undefined || keyOf(item) === key;
      const ended = underWay.filter(({ batch }) => batch.some(ofKey));
      if (ended.length === 0) return;
      const began = performance.now();
      const late = () => new StoreUnavailableError('Recordings wait for Redis');
      const all = () => Promise.all(ended.map(({ written }) => written));
      await withTimeLimit({ limitMs: Math.max(0, time.storeMs), late }, all);
      time.storeMs -= performance.now() - began;
    },
  };
}
