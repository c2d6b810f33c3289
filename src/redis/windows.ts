import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import type { Counted, Window, Windows } from '../limits/windows.js';
import { createBatcher, type Batcher } from './batcher.js';
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

/** Windows that all processes share: Redis's clock decides. */
export function createRedisWindows(store: RedisStore, names: Names): Windows {
  /** By the limits and lengths of windows, and by the cost. */
  const opened = new Map<string, Batcher<string[], number[]>>();

  function open(shape: string, windows: readonly Window[], cost: number) {
    const limiter = new RateLimiterRedis({
      storeClient: batchClient(store, `weatherWindows ${shape}`),
      customIncrTtlLuaScript: windowsScript(windows),
      keyPrefix: '',
      points: 1,
      duration: 1,
    });
    return createBatcher<string[], number[]>({
      async send(requests) {
        const { msBeforeNext } = await limiter.consume(requests.flat().join(' '), cost);
        // The library hands the second value of the reply on as it is, whatever its type says.
        const numbers = msBeforeNext as unknown as number[];
        const size = 2 * windows.length;
        return requests.map((_, i) => numbers.slice(i * size, (i + 1) * size));
      },
      groupOf: ([key = '']) => store.topology.groupOf(key),
      atEndOfTurn: store.atEndOfTurn,
    });
  }

  function batcherOf(windows: readonly Window[], cost: number): Batcher<string[], number[]> {
    let shape = String(cost);
    for (const { limit, windowMs } of windows) shape += ` ${limit}/${windowMs}`;
    const known = opened.get(shape);
    if (known) return known;
    const batcher = open(shape, windows, cost);
    opened.set(shape, batcher);
    return batcher;
  }

  return {
    async count(windows, cost, time): Promise<Counted> {
      const batcher = batcherOf(windows, cost);
      const keys = windows.map(({ key }) => names.window(key));
      const numbers = await store.run(keys[0] ?? '', () => batcher.add(keys), time);
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
