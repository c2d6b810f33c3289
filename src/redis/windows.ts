import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import type { Counted, Window, Windows } from '../limits/windows.js';
import { STORE_TIME_MS, type StoreTime } from '../weather/scope.js';
import { createBatcher, type Batch, type Batcher } from './batcher.js';
import type { Command, RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { windowsScript } from './windows-script.js';

/**
 * The client as rate-limiter-flexible sees it. What the library takes for one key are the keys of all
 * requests of a batch, with spaces between them; no key has any.
 */
function batchClient(store: RedisStore, name: string) {
  let run: Command;
  return {
    defineCommand: (_name: string, { lua }: { lua: string }) =>
      void (run = store.command(name, lua)),
    // With 1 the library counts nothing itself, and hands on the rest.
    rlflxIncr: async ([batch = '', cost = '']: string[]) => [
      1,
      await run(batch.split(' '), [cost]),
    ],
  };
}

interface Request {
  keys: readonly string[];
  time: StoreTime;
  resolve: (numbers: number[]) => void;
  reject: (error: unknown) => void;
}

/** Windows that all processes share: Redis's clock decides. */
export function createRedisWindows(store: RedisStore, names: Names): Windows {
  /** By the limits and lengths of windows, and by the cost. */
  const opened = new Map<string, Batcher<Request>>();

  function open(shape: string, windows: readonly Window[], cost: number) {
    const limiter = new RateLimiterRedis({
      storeClient: batchClient(store, `weatherWindows ${shape}`),
      customIncrTtlLuaScript: windowsScript(windows),
      keyPrefix: '',
      points: 1,
      duration: 1,
    });
    const size = 2 * windows.length;
    async function count(requests: Batch<Request>): Promise<void> {
      const keys = requests.flatMap((request) => request.keys);
      // All of them have as much as the first.
      const time = { ...requests[0].time };
      const had = time.storeMs;
      const consume = () => limiter.consume(keys.join(' '), cost);
      try {
        const { msBeforeNext } = await store.run(keys[0] ?? '', consume, time).finally(() => {
          for (const request of requests) request.time.storeMs -= had - time.storeMs;
        });
        // The library hands the second value of the reply on as it is, whatever its type says.
        const numbers = msBeforeNext as unknown as number[];
        requests.forEach(({ resolve }, i) => {
          resolve(numbers.slice(i * size, (i + 1) * size));
        });
      } catch (error) {
        for (const { reject } of requests) reject(error);
      }
    }
    return createBatcher<Request>({
      send: (requests) => void count(requests),
      // Who has less time gives up sooner, and alone.
      groupOf: ({ keys: [key = ''], time }) =>
        `${store.topology.groupOf(key)} ${time.storeMs} ${time.insists}`,
      atEndOfTurn: store.atEndOfTurn,
    });
  }

  function batcherOf(windows: readonly Window[], cost: number): Batcher<Request> {
    let shape = String(cost);
    for (const { limit, windowMs } of windows) shape += ` ${limit}/${windowMs}`;
    const known = opened.get(shape);
    if (known) return known;
    const batcher = open(shape, windows, cost);
    opened.set(shape, batcher);
    return batcher;
  }

  return {
    async count(windows, cost, time = { storeMs: STORE_TIME_MS }): Promise<Counted> {
      const ask = batcherOf(windows, cost);
      const keys = windows.map(({ key }) => names.window(key));
      const numbers = await new Promise<number[]>((resolve, reject) => {
        ask({ keys, time, resolve, reject });
      });
      let refusedBy: number | undefined;
      const states = windows.map(({ limit }, i) => {
        const [remaining = 0, resetMs = 0] = numbers.slice(2 * i);
        if (remaining < 0) refusedBy = i;
        return { limit, remaining: Math.max(0, remaining), resetMs };
      });
      return { refusedBy, states };
    },
  };
}
