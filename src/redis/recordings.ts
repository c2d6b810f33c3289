import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.js';
import { STORE_TIME_MS, type StoreTime } from '../weather/scope.js';
import { withTimeLimit } from '../time-limit.js';
import { MAX_ITEMS, type Batch } from './batcher.js';
import { isReply, stateBy } from './client/errors.js';
import { LASTING_SLOW_MS } from './client/telling.js';
import { RETRY_MS } from './client/waits.js';

/**
 * What was answered is recorded, if need be so much later: for as long as a Redis that is late may have a
 * hiccup. A Redis that was late for 1.6 s is used again after 2.1 s.
 */
export const KEPT_MS = LASTING_SLOW_MS;
/** So many are under way at most, in 18 MB: a process that answers 7,000 searches a second has them in three seconds. */
const MAX_UNDER_WAY = 20_000;

interface Recorded<Item> {
  batch: Batch<Item>;
  until: number;
  /** Resolves when it is written, or dropped. */
  written: Promise<void>;
  isOver: boolean;
  over: () => void;
}

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
  /** From the oldest that is under way; some behind it may be over. */
  const recorded: Recorded<Item>[] = [];
  let itemsUnderWay = 0;
  /** By group: what waits to be sent, or to be sent again. */
  const lines = new Map<string, Recorded<Item>[]>();

  function begin(batch: Batch<Item>): Recorded<Item> {
    let resolve: () => void = () => undefined;
    const written = new Promise<void>((done) => (resolve = done));
    const one = { batch, until: performance.now() + KEPT_MS, written, isOver: false, over };
    recorded.push(one);
    itemsUnderWay += batch.length;
    return one;

    function over(): void {
      one.isOver = true;
      itemsUnderWay -= batch.length;
      while (recorded[0]?.isOver) recorded.shift();
      resolve();
    }
  }

  /** @returns whether they are over: written, or refused */
  async function attempt(some: Batch<Recorded<Item>>): Promise<boolean> {
    const [{ batch, until }, ...others] = some;
    const storeMs = Math.max(1, (others.at(-1)?.until ?? until) - performance.now());
    try {
      const all: Batch<Item> = [...batch, ...others.flatMap((other) => other.batch)];
      await send(all, { storeMs, insists: true });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // What Redis refuses for no state of its own, it would refuse again.
      if (!isReply(error.cause) || stateBy(error.cause)) return false;
    }
    for (const { over } of some) over();
    return true;
  }

  async function deliver(group: string, some: Batch<Recorded<Item>>): Promise<void> {
    if (!(await attempt(some))) wait(group, some);
  }

  function wait(group: string, some: Batch<Recorded<Item>>): void {
    if (itemsUnderWay > MAX_UNDER_WAY) {
      for (const { over } of some) over();
      return;
    }
    const line = lines.get(group) ?? [];
    line.push(...some);
    if (lines.has(group)) return;
    lines.set(group, line);
    void drain(group, line);
  }

  /** Sends as much at once as one command takes: the line gets shorter, however far away Redis is. */
  async function drain(group: string, line: Recorded<Item>[]): Promise<void> {
    await sleep(RETRY_MS);
    for (let [first] = line; first; [first] = line) {
      if (first.until <= performance.now()) line.shift()?.over();
      else if (!isWritable(keyOf(first.batch[0]))) await sleep(RETRY_MS);
      else {
        const some = takeFrom(line, first);
        if (line.length === 0) {
          // What comes now can be sent behind them.
          lines.delete(group);
          return deliver(group, some);
        }
        if (await attempt(some)) continue;
        line.unshift(...some);
        await sleep(RETRY_MS);
      }
    }
    lines.delete(group);
  }

  return {
    /** Resolves when the batch is written, or dropped. */
    add(batch: Batch<Item>): Promise<void> {
      const group = groupOf(batch[0]);
      const one = begin(batch);
      // Behind what waits: the order of searches is that of their answers.
      if (lines.has(group) || !isWritable(keyOf(batch[0]))) wait(group, [one]);
      else void deliver(group, [one]);
      return one.written;
    },
    /**
     * Resolves when no recording of the key, or none at all, is on its way any more.
     * @throws StoreUnavailableError when the time is up
     */
    async settled(key?: string, time: StoreTime = { storeMs: STORE_TIME_MS }): Promise<void> {
      const ofKey = (item: Item) => key === undefined || keyOf(item) === key;
      const awaited = recorded.filter(({ isOver, batch }) => !isOver && batch.some(ofKey));
      if (awaited.length === 0) return;
      const began = performance.now();
      const late = () => new StoreUnavailableError('Recordings wait for Redis');
      const all = () => Promise.all(awaited.map(({ written }) => written));
      await withTimeLimit({ limitMs: Math.max(0, time.storeMs), late }, all);
      time.storeMs -= performance.now() - began;
    },
  };
}

/** Takes as much off the front of a line as one command holds. */
function takeFrom<Item>(line: Recorded<Item>[], first: Recorded<Item>): Batch<Recorded<Item>> {
  let items = 0;
  const end = line.findIndex(({ batch }) => (items += batch.length) > MAX_ITEMS);
  const [, ...others] = line.splice(0, end < 0 ? line.length : end);
  return [first, ...others];
}
