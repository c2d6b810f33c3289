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
/** About so many recordings wait for a node to take writes again. */
const MAX_WAITING = 1000;

interface Recorded<Item> {
  batch: Batch<Item>;
  until: number;
  /** It is written, or dropped. */
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
  let underWay: { batch: Batch<Item>; written: Promise<void> }[] = [];
  /** By group: what waits to be sent, or to be sent again. */
  const lines = new Map<string, Recorded<Item>[]>();

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
    const waiting = [...lines.values()].flat().reduce((sum, { batch }) => sum + batch.length, 0);
    if (waiting >= MAX_WAITING) {
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
      const until = performance.now() + KEPT_MS;
      const recorded = new Promise<void>((over) => {
        const one: Batch<Recorded<Item>> = [{ batch, until, over }];
        // Behind what waits: the order of searches is that of their answers.
        if (lines.has(group) || !isWritable(keyOf(batch[0]))) wait(group, one);
        else void deliver(group, one);
      });
      const written = recorded.then(() => {
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

/** Takes as much off the front of a line as one command holds. */
function takeFrom<Item>(line: Recorded<Item>[], first: Recorded<Item>): Batch<Recorded<Item>> {
  let items = 0;
  const end = line.findIndex(({ batch }) => (items += batch.length) > MAX_ITEMS);
  const [, ...others] = line.splice(0, end < 0 ? line.length : end);
  return [first, ...others];
}
