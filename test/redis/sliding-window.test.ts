import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/base/errors.js';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { plainRedis } from '../support/plain-redis.js';
import { passInRedis, useRedis } from '../support/use-redis.js';
import { assertWithin } from '../support/assert-within.js';

const redis = useRedis();

const HOUR_MS = 3_600_000;

/** A window for each limit, counted together, on keys that no other test uses. */
function open(
  limits: number[],
  options: { windowMs?: number; prefix?: string; guarded?: GuardedRedis } = {},
) {
  const { windowMs = HOUR_MS, prefix = randomUUID(), guarded = plainRedis(redis.client) } = options;
  const names = createNames(prefix, 0);
  const windows = createRedisWindows(guarded, names);
  const together = limits.map((limit, i) => {
    const key = `{all}:window-${i}`;
    return { key, limit, windowMs, perProcessLimit: limit };
  });
  const keys = together.map(({ key }) => names.window(key));
  const count = () => windows.count(together, 1);
  return {
    prefix,
    keys,
    key: keys[0]!,
    count,
    look: () => windows.count(together, 0),
    /** The remaining requests of the first window after each request. -1: rejected. */
    left: async (times: number) => {
      const left: number[] = [];
      for (let i = 0; i < times; i += 1) {
        const { rejectedBy, states } = await count();
        left.push(rejectedBy === undefined ? states[0]!.remaining : -1);
      }
      return left;
    },
  };
}

describe('sliding windows in Redis, beyond the contract', () => {
  it('leave one key each, which expires when its last admission does', async () => {
    const { prefix, keys, count } = open([5, 600], { windowMs: 60_000 });
    await count();
    await count();
    const found = (await redis.client.keys(`${prefix}*`)).sort();
    assert.deepEqual(found, keys);
    for (const key of found) assertWithin(await redis.client.pttl(key), 50_000, 60_001);
  });

  it('count 64 requests of one event loop iteration by one command', async () => {
    const window = open([130]);
    const scripts = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1]);
    await window.left(1);
    const before = await scripts();
    await Promise.all(Array.from({ length: 65 }, async () => window.count()));
    assert.equal((await scripts()) - before, 2);
  });

  it('with different limits, lengths, and costs are independent in one event loop iteration', async () => {
    const names = createNames(randomUUID(), 0);
    const windows = createRedisWindows(plainRedis(redis.client), names);
    const window = (key: string, limit: number, windowMs = HOUR_MS) => ({
      ...{ key: `{all}:${key}`, limit, windowMs, perProcessLimit: limit },
    });
    const results = await Promise.all([
      windows.count([window('a', 5)], 1),
      windows.count([window('a', 5)], 0),
      windows.count([window('b', 7), window('c', 9)], 1),
      windows.count([window('d', 5, 60_000)], 1),
      windows.count([window('e', 1)], 1),
    ]);
    assert.deepEqual(
      results.map(({ states }) => states.map((state) => state?.remaining)),
      [[4], [4], [6, 8], [4], [0]],
    );
    assertWithin(await redis.client.pttl(names.window('{all}:d')), 1, 60_001);
  });

  it('reject requests for one window at most after the clock stepped back', async () => {
    for (const limit of [3, 9000]) {
      const window = open([limit]);
      await Promise.all(Array.from({ length: limit }, async () => window.count()));
      await passInRedis(redis.client, -10 * HOUR_MS);
      const { rejectedBy, states } = await window.count();
      assert.equal(rejectedBy, 0);
      assertWithin(states[0]!.resetMs, HOUR_MS - 60_000, HOUR_MS);
      assertWithin(await redis.client.pttl(window.key), 1, HOUR_MS + 1);
      await passInRedis(redis.client, states[0]!.resetMs);
      assert.deepEqual(await window.left(1), [limit - 1]);
    }
  });

  it(
    'of 1,000,000 requests keep their whole length, in 10 MB of Redis',
    { timeout: 60_000 },
    async () => {
      const limit = 1_000_000;
      const window = open([limit]);
      const instants = Array<string>(5000).fill(`${Date.now() - HOUR_MS / 2}000`);
      for (let i = 0; i < limit - 5000; i += 5000)
        await redis.client.rpush(window.key, ...instants);
      await redis.client.rpush(window.key, ...instants.slice(0, -2));
      assert.deepEqual(await window.left(3), [1, 0, -1]);
      assertWithin((await redis.client.memory('USAGE', window.key))!, 1, 12e6);
      assertWithin((await window.look()).states[0]!.resetMs, HOUR_MS / 2 - 60_000, HOUR_MS / 2);
      await redis.client.del(window.key);
    },
  );

  it('keep the count when the limit changes', async () => {
    const { prefix, left } = open([500]);
    await left(10);
    for (const [limit, remaining] of [
      [20, 9],
      [5, -1],
      [30, 18],
      [700, 687],
    ] as const) {
      assert.deepEqual(await open([limit], { prefix }).left(1), [remaining], String(limit));
    }
  });

  it('begin at zero if the key has a value of another type', async () => {
    const window = open([3]);
    for (const text of ['', 'x', '1e999']) {
      await redis.client.set(window.key, text);
      assert.deepEqual(await window.left(2), [2, 1], text);
    }
    await redis.client.del(window.key);
    await redis.client.hset(window.key, 'a', '1');
    assert.deepEqual(await window.left(2), [2, 1]);
  });

  it('repair a list with garbage in it', async () => {
    const window = open([4]);
    await window.left(1);
    for (const garbage of ['x', 'nan', '-1', '9e99:1']) {
      await redis.client.lpush(window.key, garbage);
      await redis.client.rpush(window.key, garbage);
      assert.ok((await window.left(1))[0]! <= 4);
      await passInRedis(redis.client, HOUR_MS);
      assert.deepEqual(await window.left(1), [3], garbage);
    }
  });

  it('distinguish a failure of Redis from a rejection', async () => {
    const window = open([2]);
    assert.deepEqual(await window.left(1), [1]);
    await redis.client.config('SET', 'maxmemory', '1');
    const asked = await Promise.allSettled(Array.from({ length: 20 }, async () => window.count()));
    for (const each of asked) {
      assert.ok(each.status === 'rejected' && each.reason instanceof StoreUnavailableError);
    }
    await redis.client.config('SET', 'maxmemory', '0');
    assert.deepEqual(await window.left(2), [0, -1]);
  });

  it('treat a reply with too few or too many numbers as a failure of Redis', async () => {
    const plain = plainRedis(redis.client);
    let reply: number[] = [];
    const guarded: GuardedRedis = { ...plain, script: () => () => Promise.resolve(reply as never) };
    const window = open([3], { guarded });
    for (reply of [[], [2], [2, 1000, 1], [2, 1, 2, 1, 5]]) {
      const counted = await Promise.allSettled([window.count(), window.count()]);
      for (const each of counted) {
        assert.ok(each.status === 'rejected', JSON.stringify(reply));
        assert.ok(each.reason instanceof StoreUnavailableError, String(each.reason));
      }
    }
    reply = [2, 1000, 1, 1000];
    const [first, second] = await Promise.all([window.count(), window.count()]);
    assert.deepEqual([first.states[0]?.remaining, second.states[0]?.remaining], [2, 1]);
  });
});
