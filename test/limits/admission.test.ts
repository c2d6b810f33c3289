import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createAdmission, type Admission } from '../../src/limits/admission.js';
import { countInTurn, countLocally } from '../../src/limits/limiters.js';
import { createRefusals, createTotalRefusal, type Refusals } from '../../src/limits/refusals.js';
import { scope } from '../support/scope.js';
import type { LocalWindow, SlidingWindow } from '../../src/limits/sliding-window.js';
import { createMemorySlidingWindow } from '../../src/memory/sliding-window.js';
import { createRedisSlidingWindow } from '../../src/redis/sliding-window.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { eventually } from '../support/eventually.js';

const time = { now: 0 };
const clock = { monotonic: () => time.now };

function memory(limit: number, windowSeconds: number): LocalWindow {
  return createMemorySlidingWindow({ limit, windowSeconds, clock, maxKeys: 100, maxSlots: 10_000 });
}

interface Windows {
  perIp?: LocalWindow;
  searches?: LocalWindow;
  suggestions?: LocalWindow;
  total?: LocalWindow;
}

function admissionOver({ perIp, searches, suggestions, total }: Windows): Admission {
  return createAdmission({
    weather: countLocally(perIp, total),
    searches: countLocally(searches, total),
    suggestions: countLocally(suggestions, undefined),
  });
}

/** Every request asks the store. */
const forgetful: Refusals = {
  find: () => undefined,
  keep: () => undefined,
  forget: () => undefined,
};
const refusalsOf = (maxClients: number) =>
  createRefusals({ clock, maxClients, total: createTotalRefusal() });

describe('admission', () => {
  beforeEach(() => {
    time.now = 0;
  });

  it('let everything pass, and say nothing, when both are off', async () => {
    const admission = admissionOver({});
    assert.equal(await admission.admitWeather('a', scope()), undefined);
    assert.equal(await admission.admitSearches('s', scope()), undefined);
  });

  it('refuse by address, and describe that limit', async () => {
    const admission = admissionOver({ perIp: memory(2, 60), total: memory(100, 3600) });
    for (const remaining of [1, 0]) {
      const own = { limit: 2, remaining, resetMs: 60_000 };
      const total = { limit: 100, remaining: 98 + remaining, resetMs: 3_600_000 };
      assert.deepEqual(await admission.admitWeather('a', scope()), {
        admitted: true,
        ...own,
        own,
        total,
      });
    }
    time.now = 20_000;
    assert.deepEqual(await admission.admitWeather('a', scope()), {
      admitted: false,
      refusedBy: 'per_ip',
      limit: 2,
      remaining: 0,
      resetMs: 40_000,
      own: { limit: 2, remaining: 0, resetMs: 40_000 },
    });
    assert.equal((await admission.admitWeather('b', scope()))?.admitted, true);
  });

  it('do not count in total what an address was refused', async () => {
    const admission = admissionOver({ perIp: memory(1, 60), total: memory(2, 3600) });
    for (let i = 0; i < 10; i += 1) await admission.admitWeather('a', scope());
    const other = await admission.admitWeather('b', scope());
    assert.equal(other?.admitted, true);
  });

  it('refuse in total, and do not count for the address what the total refused', async () => {
    const perIp = memory(3, 60);
    const admission = admissionOver({ perIp, total: memory(1, 10) });
    const total = { limit: 1, remaining: 0, resetMs: 10_000 };
    const refused = { admitted: false, refusedBy: 'total', ...total, total };
    assert.equal((await admission.admitSearches('s', scope()))?.admitted, true);
    for (let i = 0; i < 5; i += 1) {
      assert.deepEqual(await admission.admitWeather('a', scope()), refused);
    }
    assert.deepEqual(await admission.admitSearches('s', scope()), refused);
    time.now = 10_000;
    const admitted = await admission.admitWeather('a', scope());
    assert.equal(admitted?.admitted, true);
    assert.equal(perIp.consume('a').remaining, 1);
  });

  it('count searches in total when they have no window of their own', async () => {
    const admission = admissionOver({ perIp: memory(1, 60), total: memory(5, 3600) });
    await admission.admitSearches('s', scope());
    await admission.admitSearches('s', scope());
    await admission.admitWeather('a', scope());
    assert.equal((await admission.admitSearches('s', scope()))?.remaining, 1);
  });

  it('describe the limit with fewest left, and of two equal ones the slower', async () => {
    const admission = admissionOver({ perIp: memory(3, 60), total: memory(4, 3600) });
    assert.equal((await admission.admitWeather('a', scope()))?.limit, 3);
    await admission.admitSearches('s', scope());
    const equal = await admission.admitWeather('a', scope());
    assert.deepEqual([equal?.limit, equal?.remaining, equal?.resetMs], [4, 1, 3_600_000]);
    const fewest = await admission.admitWeather('b', scope());
    assert.deepEqual([fewest?.limit, fewest?.remaining], [4, 0]);
  });

  it('keep the one limit when the other is off', async () => {
    const byAddress = admissionOver({ perIp: memory(1, 60) });
    assert.equal((await byAddress.admitWeather('a', scope()))?.limit, 1);
    assert.equal((await byAddress.admitWeather('a', scope()))?.refusedBy, 'per_ip');
    assert.equal(await byAddress.admitSearches('s', scope()), undefined);
    const inTotal = admissionOver({ total: memory(1, 60) });
    assert.equal((await inTotal.admitWeather('a', scope()))?.limit, 1);
    assert.equal((await inTotal.admitWeather('b', scope()))?.refusedBy, 'total');
  });

  it('count searches in a window of their own, which cannot use up the total alone', async () => {
    const admission = admissionOver({
      perIp: memory(3, 60),
      searches: memory(3, 60),
      total: memory(5, 3600),
    });
    const outcomes: (string | undefined)[] = [];
    for (let i = 0; i < 5; i += 1) {
      outcomes.push((await admission.admitSearches('a', scope()))?.refusedBy);
    }
    assert.deepEqual(outcomes, [undefined, undefined, undefined, 'per_ip', 'per_ip']);
    assert.equal((await admission.admitWeather('a', scope()))?.admitted, true);
    assert.equal((await admission.admitSearches('b', scope()))?.admitted, true);
    assert.equal((await admission.admitWeather('b', scope()))?.refusedBy, 'total');
  });

  it('let a fault through that is not an absence of the store', async () => {
    const shared: SlidingWindow = {
      limit: 1,
      consume: () => Promise.reject(new TypeError('a bug')),
      refund: () => Promise.resolve(),
    };
    const limiter = countInTurn({
      own: { shared, local: memory(1, 60) },
      total: undefined,
      refusals: refusalsOf(10),
      clock,
    });
    const admission = createAdmission({
      weather: limiter,
      searches: limiter,
      suggestions: limiter,
    });
    await assert.rejects(admission.admitWeather('a', scope()), /a bug/);
  });
});

describe('admission while Redis is unavailable', () => {
  let servers: RedisServer[];
  let clients: Redis[];
  before(async () => {
    servers = [await startRedis(), await startRedis()];
    clients = servers.map(
      ({ url }) => new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => 20 }),
    );
    for (const client of clients) client.on('error', () => undefined);
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    for (const server of servers) await server.stop();
  });
  beforeEach(async () => {
    time.now = 0;
    for (const server of servers) await server.restart();
    for (const client of clients) {
      await eventually(() => client.status === 'ready', 'a connection to Redis');
    }
  });

  /** Per IP on one server and the total on another, so that either can be unavailable alone. */
  function open(
    limit: { perIp: number; total: number; localPerIp: number; localTotal: number },
    remembered = refusalsOf(10),
  ) {
    const shared = (index: 0 | 1, name: string, points: number) =>
      createRedisSlidingWindow(plainRedisStore(clients[index]!), {
        name,
        limit: points,
        windowSeconds: 3600,
      });
    const total = {
      shared: shared(1, 'total', limit.total),
      local: memory(limit.localTotal, 3600),
    };
    const refusals = { refusals: remembered, clock };
    return createAdmission({
      weather: countInTurn({
        own: { shared: shared(0, 'per_ip', limit.perIp), local: memory(limit.localPerIp, 3600) },
        total,
        ...refusals,
      }),
      searches: countInTurn({ own: undefined, total, ...refusals }),
      suggestions: countLocally(undefined, undefined),
    });
  }

  it('this process decides, within its share', async () => {
    const admission = open({ perIp: 30, total: 200, localPerIp: 2, localTotal: 3 });
    for (const server of servers) await server.kill('SIGKILL');
    const outcomes: (string | undefined)[] = [];
    for (const ip of ['a', 'a', 'a', 'b', 'b', 'b']) {
      const decision = await admission.admitWeather(ip, scope());
      outcomes.push(decision?.refusedBy);
    }
    assert.deepEqual(outcomes, [undefined, undefined, 'per_ip', undefined, 'total', 'total']);
    assert.equal((await admission.admitSearches('s', scope()))?.refusedBy, 'total');
  });

  it('this process goes on from what it has let through before', async () => {
    const admission = open({ perIp: 5, total: 100, localPerIp: 5, localTotal: 100 });
    for (let i = 0; i < 3; i += 1) await admission.admitWeather('a', scope());
    for (const server of servers) await server.kill('SIGKILL');
    const left: (number | undefined)[] = [];
    for (let i = 0; i < 2; i += 1)
      left.push((await admission.admitWeather('a', scope()))?.remaining);
    assert.deepEqual(left, [1, 0]);
    assert.equal((await admission.admitWeather('a', scope()))?.refusedBy, 'per_ip');
  });

  it('a request that the total refused is given back here too', async () => {
    const admission = open({ perIp: 2, total: 1, localPerIp: 2, localTotal: 50 }, forgetful);
    await admission.admitSearches('s', scope());
    for (let i = 0; i < 4; i += 1) {
      assert.equal((await admission.admitWeather('a', scope()))?.refusedBy, 'total');
    }
    for (const server of servers) await server.kill('SIGKILL');
    assert.equal((await admission.admitWeather('a', scope()))?.admitted, true);
    assert.equal((await admission.admitWeather('a', scope()))?.admitted, true);
    assert.equal((await admission.admitWeather('a', scope()))?.refusedBy, 'per_ip');
  });

  it('the limit that still has its store is decided by it', async () => {
    const admission = open({ perIp: 2, total: 100, localPerIp: 50, localTotal: 3 });
    await servers[1]!.kill('SIGKILL');
    const outcomes: (string | undefined)[] = [];
    for (const ip of ['a', 'a', 'a', 'b', 'b', 'b', 'b']) {
      outcomes.push((await admission.admitWeather(ip, scope()))?.refusedBy);
    }
    // The share of the total refuses the fifth and after; none of these is counted for its address.
    const expected = [undefined, undefined, 'per_ip', undefined, 'total', 'total', 'total'];
    assert.deepEqual(outcomes, expected);
    const seen = createRedisSlidingWindow(plainRedisStore(clients[0]!), {
      name: 'per_ip',
      limit: 100,
      windowSeconds: 3600,
    });
    assert.equal((await seen.consume('b')).remaining, 98);
  });

  it('the shared limits decide again when Redis is back', async () => {
    const admission = open({ perIp: 4, total: 100, localPerIp: 1, localTotal: 50 });
    for (const server of servers) await server.kill('SIGKILL');
    await admission.admitWeather('a', scope());
    assert.equal((await admission.admitWeather('a', scope()))?.refusedBy, 'per_ip');
    for (const server of servers) await server.restart();
    for (const client of clients) {
      await eventually(() => client.status === 'ready', 'a connection to Redis');
    }
    const decision = await admission.admitWeather('a', scope());
    assert.deepEqual([decision?.limit, decision?.remaining], [4, 3]);
  });
});
