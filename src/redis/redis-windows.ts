import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import { StoreUnavailableError } from '../base/errors.js';
import type { CountResult, Window, Windows } from '../limits/rate-limit-window.js';
import type { Batcher } from './client/batcher.js';
import type { GuardedRedis, Script } from './client/guarded-redis.js';
import { WRONG_REPLY } from './client/redis-errors.js';
import type { Names } from './names.js';
import { readScript } from './scripts.js';

/**
 * The client that rate-limiter-flexible uses. The key of the library is a list of the keys of all requests
 * in a batch, separated by spaces, which no key contains.
 */
function batchClient(redis: GuardedRedis, windows: readonly Window[]) {
  let script: Script<number[]>;
  const lengths = windows.map(({ windowMs }) => windowMs * 1000);
  const shape = [windows.length, ...windows.map(({ limit }) => limit), ...lengths];
  return {
    defineCommand(_name: string, { lua }: { lua: string }) {
      script = redis.script('weatherWindows', lua, isNumbers);
    },
    // The library compares the first element with its own limit, and returns the second one unchanged.
    rlflxIncr: async ([batch = '', cost = '']: string[]) => [
      1,
      await script(batch.split(' '), [cost, ...shape]),
    ],
  };
}

/** One request. */
interface CountedRequest {
  key: string;
  /** The keys of all of its windows; `key` is the first one. */
  keys: string[];
}

type RequestBatcher = Batcher<CountedRequest, CountResult>;

/** Creates rate limit windows that all processes share. The clock of Redis decides. */
export function createRedisWindows(redis: GuardedRedis, names: Names): Windows {
  const lua = readScript('windows');
  /** One batcher for each cost and each combination of limits and lengths. */
  const batchers = new Map<string, RequestBatcher>();

  function open(windows: readonly Window[], cost: number): RequestBatcher {
    const limiter = new RateLimiterRedis({
      storeClient: batchClient(redis, windows),
      customIncrTtlLuaScript: lua,
      keyPrefix: '',
      points: 1,
      duration: 1,
    });
    const size = 2 * windows.length;
    return redis.batchedScript(async (requests: CountedRequest[]) => {
      const batch = requests.flatMap(({ keys }) => keys).join(' ');
      const { msBeforeNext } = await limiter.consume(batch, cost);
      // The reply of the script.
      const numbers = msBeforeNext as unknown as number[];
      if (numbers.length !== requests.length * size) throw new StoreUnavailableError(WRONG_REPLY);
      return requests.map((_, i) => resultOf(windows, numbers, i * size));
    });
  }

  function batcherOf(windows: readonly Window[], cost: number): RequestBatcher {
    let shape = String(cost);
    for (const { limit, windowMs } of windows) shape += ` ${limit}/${windowMs}`;
    const known = batchers.get(shape);
    if (known) return known;
    const batcher = open(windows, cost);
    batchers.set(shape, batcher);
    return batcher;
  }

  return {
    count(windows, cost) {
      const keys = windows.map(({ key }) => names.window(key));
      const countTogether = batcherOf(windows, cost);
      return countTogether({ key: keys[0] ?? '', keys });
    },
  };
}

/** The result of one request, whose two numbers for each window begin at an index of the reply. */
function resultOf(windows: readonly Window[], reply: number[], first: number): CountResult {
  let rejectedBy: number | undefined;
  const states = windows.map(({ limit }, i) => {
    const remaining = reply[first + 2 * i] ?? 0;
    const resetMs = reply[first + 2 * i + 1] ?? 0;
    if (remaining < 0) rejectedBy = i;
    return { limit, remaining: Math.max(0, remaining), resetMs };
  });
  return { rejectedBy, states };
}

/** Whether a reply has numbers only. A batch has one reply, so there are two of them for each of its windows. */
function isNumbers(reply: unknown[]): reply is number[] {
  return reply.every(Number.isFinite);
}
