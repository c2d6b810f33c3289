import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { withFallback } from '../../src/redis/windows-fallback.js';
import { createRandom } from '../support/random.js';
import { useRedis } from '../support/use-redis.js';
import { forEachSeed } from './interleavings.js';
import { createNetwork } from './network.js';
import { createVirtualTime } from './virtual-time.js';

const REPLICAS = 3;
const REQUESTS = 40;
/** Requests span about four windows. Real time must pass slower: Redis deletes old keys by it. */
const WINDOW_MS = 30_000;
const SPREAD_MS = 4 * WINDOW_MS;

/** Virtual times in milliseconds. */
interface History {
  limit: number;
  /** When Redis admitted a request, also if its reply was lost. */
  counted: number[];
  /** The number of requests that a replica admitted. */
  admitted: number;
  /** The periods in which a rejection was decided: from the request to the response. */
  rejected: { from: number; to: number }[];
}

/** Clients of one address send requests to three replicas, over a network with faults. */
async function simulate(redis: Redis, seed: number): Promise<History> {
  const random = createRandom(seed);
  const time = createVirtualTime();
  const faults = { lost: 0.1, duplicated: 0.1, late: 0.1 };
  const network = createNetwork({ time, random, redis, faults });
  const names = createNames(`model${seed}`, 0);
  const limit = random.between(1, 12);
  const window = { key: '{ip}:192.0.2.1', limit, windowMs: WINDOW_MS, perProcessLimit: limit };
  const history: History = { limit, counted: [], admitted: 0, rejected: [] };
  const key = names.window(window.key);

  const replicas = Array.from({ length: REPLICAS }, () => {
    const connection = network.connect();
    connection.onExecuted = (reply) => {
      // Two numbers for each request: what remains, or -1 if it is rejected, and the reset time.
      const numbers = reply as number[];
      const remaining = numbers.filter((_, i) => i % 2 === 0);
      for (const number of remaining) if (number >= 0) history.counted.push(time.now);
    };
    // Without a reply, the replica decides by its own limits: that is another test.
    const local = { count: () => Promise.reject(new Error('no reply')) };
    const clock = { monotonic: () => time.now };
    return withFallback(createRedisWindows(connection.redis, names), local, clock, () => true);
  });

  async function request() {
    const from = time.now;
    const counting = Promise.resolve(random.pick(replicas).count([window], 1));
    const result = await counting.catch(() => undefined);
    if (!result) return;
    if (result.rejectedBy === undefined) history.admitted += 1;
    else history.rejected.push({ from, to: time.now });
  }
  for (let n = 0; n < REQUESTS; n += 1) time.after(random.between(0, SPREAD_MS), request);
  await time.runAll();
  await redis.del(key);
  return history;
}

const countIn = (instants: number[], from: number, to: number) =>
  instants.filter((instant) => instant > from && instant <= to).length;

describe('rate limit windows over an unreliable network', () => {
  const redis = useRedis();

  it('admit at most the limit over all replicas in any window, and reject only above it', async () => {
    await forEachSeed(async (seed) => {
      const { limit, counted, admitted, rejected } = await simulate(redis.client, seed);
      assert.ok(admitted <= counted.length, `${admitted} admitted, ${counted.length} counted`);
      for (const at of counted) {
        const inWindow = countIn(counted, at - WINDOW_MS, at);
        assert.ok(inWindow <= limit, `${inWindow} counted, limit ${limit}`);
      }
      for (const { from, to } of rejected) {
        const inWindow = countIn(counted, from - WINDOW_MS, to);
        assert.ok(inWindow >= limit, `rejected after ${inWindow} requests, limit ${limit}`);
      }
    });
  });
});
