import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/errors.js';
import { createRedisSlidingWindow } from '../../src/redis/sliding-window.js';
import type { RedisStore } from '../../src/redis/client/store.js';
import type { Scope } from '../../src/weather/scope.js';
import { scope as anyScope } from '../support/scope.js';
import { assertWithin } from '../contracts/sliding-window.contract.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { freePort, startRedis, type RedisServer } from '../support/redis-server.js';

const KEY = 'weather:limit:per_ip:203.0.113.7';
const IP = '203.0.113.7';

let server: RedisServer;
let client: Redis;
const connections = new Set<Redis | Cluster>();

/** A connection that ends with the tests, failed ones too. */
function connect<T extends Redis | Cluster>(connection: T): T {
  connections.add(connection);
  return connection;
}

before(async () => {
  server = await startRedis();
  client = connect(new Redis(server.url));
});
beforeEach(() => client.flushall());
after(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

const open = (limit: number, windowSeconds: number, name = 'per_ip', store?: RedisStore) =>
  createRedisSlidingWindow(store ?? plainRedisStore(client), { name, limit, windowSeconds });

async function redisMicroseconds(): Promise<number> {
  const [seconds, microseconds] = await client.time();
  return Number(seconds) * 1e6 + Number(microseconds);
}

describe('sliding window in Redis, beyond the contract', () => {
  it('keeps one key per limit and client, which expires with its last admission', async () => {
    const window = open(5, 60);
    await window.consume(IP);
    assert.deepEqual(await client.keys('*'), [KEY]);
    const ttl = await client.pttl(KEY);
    assertWithin(ttl, 1, 60_001);
    await client.pexpire(KEY, 5000);
    await window.consume(IP);
    assertWithin(await client.pttl(KEY), 5001, 60_001);
  });

  it('lets two windows on one connection each keep their own limit and length', async () => {
    const [perIp, total] = [open(2, 60, 'per_ip'), open(4, 3600, 'total')];
    const admitted = { perIp: 0, total: 0 };
    for (let i = 0; i < 6; i += 1) {
      if ((await perIp.consume('x')).admitted) admitted.perIp += 1;
      if ((await total.consume('x')).admitted) admitted.total += 1;
    }
    assert.deepEqual(admitted, { perIp: 2, total: 4 });
    assertWithin(await client.pttl('weather:limit:per_ip:x'), 1, 60_001);
    assertWithin(await client.pttl('weather:limit:total:x'), 60_002, 3_600_001);
  });

  it('admits no more than the limit in any window of real time, over several clients', async () => {
    const clients = [connect(new Redis(server.url)), connect(new Redis(server.url))];
    const windows = clients.map((one) => open(20, 1, 'per_ip', plainRedisStore(one)));
    const admitted: { sent: number; answered: number }[] = [];
    // Bursts before, at and after the edges of a window.
    for (const pause of [0, 940, 50, 10, 10, 480, 505, 3]) {
      await sleep(pause);
      const burst = Array.from({ length: 30 }, async (_, i) => {
        const sent = performance.now();
        const state = await windows[i % 2]!.consume(IP);
        if (state.admitted) admitted.push({ sent, answered: performance.now() });
      });
      await Promise.all(burst);
    }
    // Each was admitted at some time between sending and answer. Twenty-one that were all sent and
    // answered within one window would be one too many; a slow machine only makes spans longer.
    admitted.sort((a, b) => a.sent - b.sent);
    assertWithin(admitted.length, 20, Infinity);
    for (const { sent } of admitted) {
      const inside = admitted.filter((a) => a.sent >= sent && a.answered < sent + 990);
      assertWithin(inside.length, 0, 20);
    }
  });

  it('never takes an admission for older than it is where it rounds', async () => {
    const sliceUs = (3600 / 500) * 1e6;
    const window = open(1000, 3600);
    const earliest = await redisMicroseconds();
    const { countedAt } = await window.consume(IP);
    const latest = await redisMicroseconds();
    assertWithin(countedAt, earliest, latest + sliceUs);
    assert.equal(countedAt % sliceUs, 0);
  });

  it('needs about five hundred records for a limit of a million', async () => {
    const window = open(1_000_000, 1);
    const end = performance.now() + 1500;
    for (let admitted = 0; admitted <= 2000 || performance.now() < end;) {
      const states = await Promise.all(Array.from({ length: 50 }, () => window.consume(IP)));
      admitted += states.filter((state) => state.admitted).length;
      assertWithin(await client.llen(KEY), 0, 503);
    }
  });

  it('needs one record more than the limit at most', async () => {
    const window = open(30, 60);
    for (let i = 0; i < 60; i += 1) await window.consume(IP);
    assertWithin(await client.llen(KEY), 2, 31);
    assertWithin((await client.memory('USAGE', KEY))!, 1, 1500);
  });

  it('goes on after SCRIPT FLUSH without losing count', async () => {
    const window = open(3, 60);
    const remaining: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      await client.script('FLUSH');
      const state = await window.consume(IP);
      remaining.push(state.remaining);
      await client.script('FLUSH');
      if (i === 1) await window.refund(IP, state);
    }
    assert.deepEqual(remaining, [2, 1, 1]);
  });

  it('counts admissions from before the clock went back, for one window and no longer', async () => {
    const window = open(3, 1);
    const hourAhead = (await redisMicroseconds()) + 3600e6;
    await client.rpush(KEY, '0:40', `${hourAhead}:41`, `${hourAhead + 5}:42`);
    await client.pexpire(KEY, 3600_000);
    const state = await window.consume(IP);
    // On a busy machine the second may be over by the next line, so only this answer tells the count.
    assert.deepEqual([state.admitted, state.remaining], [true, 0]);
    assertWithin(state.msUntilOldestLeaves, 1, 1000);
    assertWithin(await client.pttl(KEY), -2, 1001);
    await sleep(1005);
    assert.equal((await window.consume(IP)).remaining, 2);
  });

  it('refuses for one window only when it was full before the clock went back', async () => {
    const window = open(2, 1);
    const hourAhead = (await redisMicroseconds()) + 3600e6;
    await client.rpush(KEY, '0:0', `${hourAhead}:1`, `${hourAhead + 5}:2`);
    const refused = await window.consume(IP);
    assert.equal(refused.admitted, false);
    assertWithin(refused.msUntilOldestLeaves, 1, 1000);
    await sleep(refused.msUntilOldestLeaves + 2);
    assert.equal((await window.consume(IP)).admitted, true);
  });

  it('tells a failure of Redis from a refusal', async () => {
    const window = open(2, 60);
    const state = await window.consume(IP);
    await client.config('SET', 'maxmemory', '1');
    await assert.rejects(window.consume(IP), StoreUnavailableError);
    await client.config('SET', 'maxmemory', '0');
    assert.equal((await window.consume(IP)).remaining, 0);
    assert.equal((await window.consume(IP)).admitted, false);

    const away = connect(new Redis(server.url, { enableOfflineQueue: false }));
    await new Promise((resolve) => away.once('ready', resolve));
    const cutOff = open(2, 60, 'per_ip', plainRedisStore(away));
    away.disconnect();
    await assert.rejects(cutOff.consume(IP), StoreUnavailableError);
    await assert.rejects(cutOff.refund(IP, state), StoreUnavailableError);
  });

  it('asks the store for each command under the full key, with the scope of the request', async () => {
    const plain = plainRedisStore(client);
    const asked: [string, Scope | undefined][] = [];
    const window = open(2, 60, 'per_ip', {
      client,
      run: (key, command, scope) => {
        asked.push([key, scope]);
        return plain.run(key, command, scope);
      },
      script: (name, lua) => {
        const script = plain.script(name, lua);
        return (keys, args, scope) => {
          asked.push([keys.join(), scope]);
          return script(keys, args, scope);
        };
      },
    });
    const scope = anyScope();
    await window.refund(IP, await window.consume(IP, scope), scope);
    assert.deepEqual(asked, [
      [KEY, scope],
      [KEY, scope],
    ]);
    for (const [, given] of asked) assert.equal(given, scope);
  });

  it('works in a cluster', { timeout: 60_000 }, async () => {
    const bus = String(await freePort());
    const node = await startRedis({
      // prettier-ignore
      args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', bus],
    });
    try {
      const admin = connect(new Redis(node.url));
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      while (!String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) {
        await sleep(50);
      }
      const cluster = connect(new Cluster([{ host: '127.0.0.1', port: node.port }]));
      const window = open(1, 60, 'per_ip', plainRedisStore(cluster as unknown as Redis));
      const state = await window.consume('2001:db8:0:1::/64');
      assert.equal(state.admitted, true);
      assert.equal((await window.consume('2001:db8:0:1::/64')).admitted, false);
      assert.equal((await window.consume(IP)).admitted, true);
      await window.refund('2001:db8:0:1::/64', state);
      assert.equal((await window.consume('2001:db8:0:1::/64')).admitted, true);
    } finally {
      for (const connection of connections) if (connection !== client) connection.disconnect();
      await node.stop();
    }
  });
});
