import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/errors.js';
import type { RedisStore } from '../../src/redis/client/store.js';
import { createNames } from '../../src/redis/names.js';
import { createSharedWindows } from '../../src/redis/windows.js';
import type { Scope } from '../../src/weather/scope.js';
import { assertWithin } from '../contracts/sliding-window.contract.js';
import { passInRedis } from '../support/limiters.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { freePort, startRedis, type RedisServer } from '../support/redis-server.js';
import { scope as anyScope } from '../support/scope.js';

let server: RedisServer;
let client: Redis;
before(async () => {
  server = await startRedis();
  client = new Redis(server.url);
});
after(async () => {
  client.disconnect();
  await server.stop();
});

const HOUR_MS = 3_600_000;

/** A window for each limit, counted together, on keys that no other test uses. */
function open(
  limits: number[],
  options: { windowMs?: number; prefix?: string; store?: RedisStore } = {},
) {
  const { windowMs = HOUR_MS, prefix = randomUUID(), store = plainRedisStore(client) } = options;
  const names = createNames(prefix, 0);
  const keys = limits.map((_, i) => names.window('all', `window-${i}`));
  const windows = createSharedWindows(
    store,
    limits.map((limit) => ({ limit, windowMs })),
    () => keys,
  );
  return {
    prefix,
    keys,
    windows,
    key: limits[0]! > 500 ? `${keys[0]}/${Math.ceil(limits[0]! / 500)}` : keys[0]!,
    count: (scope?: Scope) => windows.count('', scope),
    /** What is left of the first window after each of so many requests; -1: refused. */
    left: async (times: number) => {
      const left: number[] = [];
      for (let i = 0; i < times; i += 1) {
        const { refusedBy, states } = await windows.count('');
        left.push(refusedBy === undefined ? states[0]!.remaining : -1);
      }
      return left;
    },
  };
}

describe('sliding windows in Redis, beyond the contract', () => {
  it('count in all of them or in none, and say which one refused', async () => {
    const { windows, count } = open([5, 2, 9]);
    await count();
    await count();
    const refused = await count();
    assert.equal(refused.refusedBy, 1);
    assert.deepEqual(
      refused.states.map(({ remaining }) => remaining),
      [3, 0, 7],
    );
    for (const { resetMs } of refused.states) assertWithin(resetMs, HOUR_MS - 60_000, HOUR_MS);
    assert.deepEqual((await windows.look('')).states[0]?.remaining, 3);
  });

  it('count nothing when they are only looked at', async () => {
    const { windows, count } = open([2, 600]);
    const untouched = { limit: 2, remaining: 2, resetMs: 0 };
    for (let i = 0; i < 5; i += 1) assert.deepEqual((await windows.look('')).states[0], untouched);
    await count();
    assert.deepEqual(
      (await windows.look('')).states.map(({ remaining }) => remaining),
      [1, 599],
    );
  });

  it('leave one key each, which expires soon after its last admission has left', async () => {
    const { prefix, keys, count } = open([5, 600], { windowMs: 60_000 });
    await count();
    await count();
    const found = (await client.keys(`${prefix}*`)).sort();
    assert.deepEqual(found, [keys[0], `${keys[1]}/2`]);
    for (const key of found) assertWithin(await client.pttl(key), 60_000, 75_001);
  });

  it('live on while they admit', async () => {
    const window = open([5]);
    for (let i = 0; i < 3; i += 1) {
      await window.count();
      await passInRedis(client, 0.8 * HOUR_MS);
    }
    assert.deepEqual(await window.left(1), [3]);
  });

  it('tell when a group leaves, which is one window after its last admission', async () => {
    const window = open([600]);
    await window.count();
    await passInRedis(client, HOUR_MS / 2);
    assertWithin((await window.count()).states[0]!.resetMs, HOUR_MS - 60_000, HOUR_MS);
  });

  it('need an instant for each request of the limit, and never more than five hundred', async () => {
    for (const [limit, bytes] of [
      [30, 600],
      [500, 8200],
      [1200, 8200],
    ] as const) {
      const window = open([limit]);
      await Promise.all(Array.from({ length: limit + 50 }, () => window.count()));
      assertWithin(await client.llen(window.key), 1, Math.min(limit, 500));
      assertWithin((await client.memory('USAGE', window.key))!, 1, bytes);
    }
  });

  it('go on after SCRIPT FLUSH without losing count', async () => {
    const window = open([3]);
    const left: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      await client.script('FLUSH');
      left.push(...(await window.left(1)));
    }
    assert.deepEqual(left, [2, 1, 0]);
  });

  for (const limit of [3, 1001]) {
    it(`of ${limit} count what came before the clock went back, for one window only`, async () => {
      const window = open([limit]);
      await Promise.all(Array.from({ length: limit }, () => window.count()));
      await passInRedis(client, -10 * HOUR_MS);
      const refused = await window.count();
      assert.equal(refused.refusedBy, 0);
      assertWithin(refused.states[0]!.resetMs, HOUR_MS - 60_000, HOUR_MS);
      await passInRedis(client, refused.states[0]!.resetMs);
      assert.deepEqual(await window.left(1), [limit - 1]);
    });
  }

  it('keep the count when the limit is configured anew, and begin anew with groups of another size', async () => {
    const { prefix, left } = open([500]);
    await left(10);
    for (const [limit, remaining] of [
      [20, 9],
      [5, -1],
      [30, 18],
      [700, 699],
      [30, 17],
      [1000, 998],
    ] as const) {
      assert.deepEqual(await open([limit], { prefix }).left(1), [remaining], String(limit));
    }
  });

  it('begin anew where a value is none of theirs', async () => {
    for (const limit of [3, 600]) {
      const window = open([limit]);
      const { key } = window;
      for (const text of ['', 'x', '1e999', 'x'.repeat(500)]) {
        await client.set(key, text);
        assert.deepEqual(await window.left(2), [limit - 1, limit - 2], text);
        await client.multi().del(key).rpush(key, text).exec();
        assertWithin((await window.left(1))[0]!, limit - 3, limit - 1);
        await client.del(key);
      }
      await client.hset(key, 'a', '1');
      assert.deepEqual(await window.left(2), [limit - 1, limit - 2]);
    }
  });

  it('count no more admissions in a group than fit into it', async () => {
    for (const admissions of ['999999', '9'.repeat(35)]) {
      const window = open([600]);
      const now = `${Date.now()}000`;
      await client.rpush(window.key, now, `${now}:${admissions}`);
      assert.deepEqual(await window.left(1), [600 - 5], admissions);
    }
  });

  it('repair a list with garbage in it', async () => {
    for (const limit of [4, 600]) {
      const window = open([limit]);
      await window.left(1);
      for (const garbage of ['x', 'nan', '-1', '1:', '1:0', '1:9', '9e99:1', '1:2:3']) {
        await client.lpush(window.key, garbage);
        await client.rpush(window.key, garbage);
        assert.ok((await window.left(1))[0]! <= limit);
        await passInRedis(client, HOUR_MS);
        assert.deepEqual(await window.left(1), [limit - 1], garbage);
      }
    }
  });

  it('tell a failure of Redis from a refusal', async () => {
    const window = open([2]);
    assert.deepEqual(await window.left(1), [1]);
    await client.config('SET', 'maxmemory', '1');
    await assert.rejects(window.count(), StoreUnavailableError);
    await client.config('SET', 'maxmemory', '0');
    assert.deepEqual(await window.left(2), [0, -1]);
  });

  it('ask the store under their key, with the scope of the request', async () => {
    const plain = plainRedisStore(client);
    const asked: [string, Scope | undefined][] = [];
    const store: RedisStore = {
      ...plain,
      run(key, command, scope) {
        asked.push([key, scope]);
        return plain.run(key, command, scope);
      },
    };
    const window = open([2], { store });
    const scope = anyScope();
    await window.count(scope);
    assert.deepEqual(asked, [[window.key, scope]]);
    assert.equal(asked[0]?.[1], scope);
  });

  it('count together in a cluster', { timeout: 60_000 }, async () => {
    const bus = String(await freePort());
    const node = await startRedis({
      // prettier-ignore
      args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', bus],
    });
    const admin = new Redis(node.url);
    const cluster = new Cluster([{ host: '127.0.0.1', port: node.port }]);
    try {
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      while (!String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) {
        await sleep(50);
      }
      const window = open([9, 1], { store: plainRedisStore(cluster as unknown as Redis) });
      assert.equal((await window.count()).refusedBy, undefined);
      assert.equal((await window.count()).refusedBy, 1);
    } finally {
      admin.disconnect();
      cluster.disconnect();
      await node.stop();
    }
  });
});
