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

const KEY = 'weather:window:per_ip:203.0.113.7';
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

const HEADER_BYTES = 64;
const SLOT_BYTES = 16;

/** Redis's clock goes on by so many seconds, or back, as the key of this test sees it. */
async function turnClock(seconds: number): Promise<void> {
  const value = await client.getBuffer(KEY);
  assert.ok(value);
  // Instants: of the first slot, of the last, of the end of the key, and one in each slot.
  const offsets = [40, 48, 56];
  for (let at = HEADER_BYTES; at < value.length; at += SLOT_BYTES) offsets.push(at);
  for (const offset of offsets) {
    value.writeDoubleLE(value.readDoubleLE(offset) - seconds * 1e6, offset);
  }
  await client.set(KEY, value, 'PX', 3600_000);
}

async function redisMicroseconds(): Promise<number> {
  const [seconds, microseconds] = await client.time();
  return Number(seconds) * 1e6 + Number(microseconds);
}

describe('sliding window in Redis, beyond the contract', () => {
  it('keeps one key per limit and client, which expires soon after its last admission', async () => {
    const window = open(5, 60);
    await window.consume(IP);
    assert.deepEqual(await client.keys('*'), [KEY]);
    const ttl = await client.pttl(KEY);
    assertWithin(ttl, 60_000, 75_003);
  });

  it('lets no key expire before its last admission has left the window', async () => {
    const window = open(1000, 2);
    const end = performance.now() + 1500;
    while (performance.now() < end) {
      await window.consume(IP);
      assertWithin(await client.pttl(KEY), 1990, 2507);
      await sleep(20);
    }
  });

  it('lets two windows on one connection each keep their own limit and length', async () => {
    const [perIp, total] = [open(2, 60, 'per_ip'), open(4, 3600, 'total')];
    const admitted = { perIp: 0, total: 0 };
    for (let i = 0; i < 6; i += 1) {
      if ((await perIp.consume('x')).admitted) admitted.perIp += 1;
      if ((await total.consume('x')).admitted) admitted.total += 1;
    }
    assert.deepEqual(admitted, { perIp: 2, total: 4 });
    assertWithin(await client.pttl('weather:window:per_ip:x'), 1, 75_003);
    assertWithin(await client.pttl('weather:window:total:x'), 75_004, 4_500_003);
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

  it('needs about five hundred slots for a limit of a million', async () => {
    const window = open(1_000_000, 1);
    const end = performance.now() + 1500;
    for (let admitted = 0; admitted <= 2000 || performance.now() < end;) {
      const states = await Promise.all(Array.from({ length: 50 }, () => window.consume(IP)));
      admitted += states.filter((state) => state.admitted).length;
      assertWithin(await client.strlen(KEY), 0, HEADER_BYTES + 501 * SLOT_BYTES);
    }
  });

  it('needs one slot for each request of the limit at most', async () => {
    const window = open(30, 60);
    for (let i = 0; i < 60; i += 1) await window.consume(IP);
    assertWithin(await client.strlen(KEY), HEADER_BYTES + 1, HEADER_BYTES + 30 * SLOT_BYTES);
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
    for (let i = 0; i < 2; i += 1) await window.consume(IP);
    await turnClock(-3600);
    const state = await window.consume(IP);
    // On a busy machine the second may be over by the next line, so only this answer tells the count.
    assert.deepEqual([state.admitted, state.remaining], [true, 0]);
    assertWithin(state.resetMs, 1, 1000);
    assertWithin(await client.pttl(KEY), -2, 1255);
    await sleep(1005);
    assert.equal((await window.consume(IP)).remaining, 2);
  });

  it('refuses for one window only when it was full before the clock went back', async () => {
    const window = open(2, 1);
    for (let i = 0; i < 2; i += 1) await window.consume(IP);
    await turnClock(-3600);
    const refused = await window.consume(IP);
    assert.equal(refused.admitted, false);
    assertWithin(refused.resetMs, 1, 1000);
    await sleep(refused.resetMs + 2);
    assert.equal((await window.consume(IP)).admitted, true);
  });

  it('keeps the count when the limit is configured anew', async () => {
    for (let i = 0; i < 10; i += 1) await open(500, 3600).consume(IP);
    assert.equal((await open(20, 3600).consume(IP)).remaining, 9);
    assert.equal((await open(1_000_000, 3600).consume(IP)).remaining, 999_988);
    const refused = await open(5, 3600).consume(IP);
    assert.deepEqual([refused.admitted, refused.remaining], [false, 0]);
    assert.equal((await open(30, 3600).consume(IP)).remaining, 17);
  });

  it('keeps each admission at its time when the limit is configured anew', async () => {
    const consume = async (limit: number, times: number) => {
      const remaining: number[] = [];
      for (let i = 0; i < times; i += 1) {
        remaining.push((await open(limit, 3600).consume(IP)).remaining);
      }
      return remaining;
    };
    await consume(8, 6);
    await turnClock(3000);
    await consume(8, 2);
    await turnClock(700);
    // The first six have left; four more take their slots.
    assert.deepEqual(await consume(8, 4), [5, 4, 3, 2]);
    // A ring of another size, with the six in it.
    assert.deepEqual(await consume(500, 1), [493]);
    await turnClock(2950);
    // Two have left, five are counted.
    assert.deepEqual(await consume(500, 1), [494]);
    assert.deepEqual(await consume(8, 3), [1, 0, 0]);
  });

  it('begins anew where a value is none of its own', async () => {
    const garbage = ['x', 'x'.repeat(500), '\0'.repeat(64), JSON.stringify({ a: 1 }).repeat(20)];
    for (const value of garbage) {
      await client.set(KEY, value);
      assert.equal((await open(3, 60).consume(IP)).remaining, 2);
      assert.equal((await open(3, 60).consume(IP)).remaining, 1);
    }
    await client.del(KEY);
    await client.rpush(KEY, '0:0');
    assert.equal((await open(3, 60).consume(IP)).remaining, 2);
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
