import { createHash } from 'node:crypto';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counted, SlidingWindow, Verdict, WindowPair } from '../limits/sliding-window.js';
import type { RedisClient, RedisStore } from './client/store.js';
import { consumeScript, refundScript, type WindowSettings } from './sliding-window-scripts.js';

/** A limit and its name in Redis: keys are `weather:window:<name>:<key>`. */
export interface RedisWindowOptions extends WindowSettings {
  name: string;
}

/** The one key of a window that counts all clients together. */
const TOTAL_KEY = 'all';

const prefix = (name: string): string => `weather:window:${name}`;

type Command = (...args: (number | string)[]) => Promise<unknown>;

/**
 * The client as rate-limiter-flexible sees it. The library registers its script on the client under
 * one name, so that the limiter made last would replace the scripts of the others. And it passes one
 * key only. Here every script has a name of its own, and further keys go with the first.
 */
function scriptClient(client: RedisClient, furtherKeys: string[]) {
  let command: Command | undefined;
  return {
    defineCommand(_name: string, { lua }: { lua: string }) {
      const name = `weatherWindow${createHash('sha256').update(lua).digest('hex').slice(0, 16)}`;
      client.defineCommand(name, { lua, numberOfKeys: 1 + furtherKeys.length });
      command = (Reflect.get(client, name) as Command).bind(client);
    },
    // The limits are part of the script: what else the library passes is not needed.
    rlflxIncr: ([key = '']: string[]) => command?.(key, ...furtherKeys),
  };
}

/** The script's answer: whether it admitted, and its numbers. */
interface Reply {
  admitted: boolean;
  remaining: number;
  numbers: number[];
}

/** Runs a script that counts, by way of the library; fails only when Redis fails. */
function createLimiter(store: RedisStore, own: RedisWindowOptions, total?: RedisWindowOptions) {
  const limiter = new RateLimiterRedis({
    storeClient: scriptClient(store.client, total ? [`${prefix(total.name)}:${TOTAL_KEY}`] : []),
    customIncrTtlLuaScript: consumeScript(own, total),
    keyPrefix: prefix(own.name),
    points: own.limit,
    duration: own.windowSeconds,
  });
  // The library hands the second value of the script's reply on as it is, whatever its type says.
  const toReply = (admitted: boolean, result: RateLimiterRes): Reply => ({
    admitted,
    remaining: result.remainingPoints,
    numbers: result.msBeforeNext as unknown as number[],
  });

  return {
    keyOf: (key: string): string => limiter.getKey(key),
    consume: (key: string): Promise<Reply> =>
      limiter.consume(key).then(
        (result) => toReply(true, result),
        (error: unknown) => {
          // It rejects with a result when it refuses, and with an Error when Redis failed.
          if (error instanceof RateLimiterRes) return toReply(false, error);
          throw error;
        },
      ),
  };
}

/** A sliding window shared by all processes on one Redis, whose clock decides. */
export function createRedisSlidingWindow(
  store: RedisStore,
  options: RedisWindowOptions,
): SlidingWindow {
  const { limit } = options;
  const limiter = createLimiter(store, options);
  const refundLua = refundScript(options);
  const refund = store.script(
    `weatherRefund${createHash('sha256').update(refundLua).digest('hex').slice(0, 16)}`,
    refundLua,
  );

  async function consume(key: string): Promise<Counted> {
    const { admitted, remaining, numbers } = await limiter.consume(key);
    const [, resetMs = 0, countedAt = -1] = numbers;
    return { admitted, limit, remaining, resetMs, countedAt };
  }

  return {
    limit,
    consume: (key, scope) => store.run(limiter.keyOf(key), () => consume(key), scope),
    async refund(key, { countedAt }, scope) {
      await refund([limiter.keyOf(key)], [countedAt], scope);
    },
  };
}

/**
 * A window for each client and one for all clients, counted together by one script. Both keys must
 * lie on one node: not for a cluster.
 */
export function createRedisWindowPair(
  store: RedisStore,
  own: RedisWindowOptions,
  total: RedisWindowOptions,
): WindowPair {
  const limiter = createLimiter(store, own, total);

  function toVerdict({ admitted, remaining, numbers }: Reply): Verdict {
    const [refusedBy, resetMs = 0, , totalRemaining = 0, totalResetMs = 0] = numbers;
    if (admitted) {
      return {
        own: { limit: own.limit, remaining, resetMs },
        total: { limit: total.limit, remaining: totalRemaining, resetMs: totalResetMs },
      };
    }
    return refusedBy === 1
      ? { refusedBy: 'own', own: { limit: own.limit, remaining: 0, resetMs } }
      : { refusedBy: 'total', total: { limit: total.limit, remaining: 0, resetMs } };
  }

  return {
    consume: (client, scope) =>
      store.run(limiter.keyOf(client), () => limiter.consume(client).then(toVerdict), scope),
  };
}
