import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import { startRelay } from '../support/relay.js';
import { anyClient, changesOf, startBehindRelay } from '../support/slow-redis.js';
import { becomesReady } from '../support/readiness.js';
import { startProcesses } from '../support/stack.js';

const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '30', RATE_LIMIT_TOTAL: '100000' };
const NEW_CLIENTS = 24;
const search = (n: number) =>
  `/api/v1/weather?city=${n % 2 ? 'Berlin' : 'Hamburg'}&country=Germany`;

describe('a new client while Redis answers late, but steadily', () => {
  for (const delayMs of [60, 80, 100]) {
    it(`by ${delayMs} ms: it gets its cookie and its list, and no orphan key is left`, async (t) => {
      const redis = await startRedis();
      const relay = await startRelay(t, redis.port);
      const processes = await startProcesses(t, {
        replicas: 2,
        workers: 0,
        env: { REDIS_URL: `redis://127.0.0.1:${relay.port}`, ...ENV },
        store: redis,
      });
      const { replicas, url } = processes;
      for (const replica of replicas) {
        await becomesReady(replica);
        for (const n of [0, 1]) await attempt(replica.url + search(n), { headers: anyClient(n) });
      }
      const admin = new Redis(redis.url);
      t.after(() => {
        admin.disconnect();
      });
      await admin.flushall();
      relay.delayBy(delayMs);
      await sleep(1500);
      const urls = Array.from({ length: NEW_CLIENTS }, (_, n) => url(search(n)));
      const replies = await Promise.all(
        urls.map((path, n) => attempt(path, { headers: anyClient(100 + n) })),
      );
      assert.deepEqual(tally(replies), { '200 HIT': NEW_CLIENTS });
      const cookies = replies.map(cookieOf).filter((cookie) => cookie !== '');
      const keys = (await admin.keys('*')).filter((key) => /:session\d*:/.test(key));
      assert.deepEqual([cookies.length, keys.length], [NEW_CLIENTS, NEW_CLIENTS]);
      for (const [n, cookie] of cookies.entries()) {
        const headers = { cookie, ...anyClient(200 + n) };
        const list = await attempt(url('/api/v1/recent-searches'), { headers });
        assert.equal(list.status, 200);
        assert.match(list.text, n % 2 ? /Berlin/ : /Hamburg/);
      }
      assert.deepEqual(replicas.flatMap(changesOf), []);
    });
  }

  it('by 100 ms, for a place that nobody has asked for: it gets its cookie all the same', async (t) => {
    const { relay, url } = await startBehindRelay(t, { replicas: 1, env: ENV, places: 1 });
    relay.delayBy(100);
    await sleep(1500);
    const urls = Array.from({ length: 8 }, (_, n) => url(placePath(700 + n)));
    const replies = await Promise.all(
      urls.map((path, n) => attempt(path, { headers: anyClient(300 + n) })),
    );
    assert.deepEqual(Object.keys(tally(replies)), ['200 MISS']);
    assert.deepEqual(
      replies.map(({ cookies }) => cookies.length > 0),
      replies.map(() => true),
    );
  });
});

describe('Redis answers later than the service can bear', () => {
  it('by 120 ms: it is called degraded once, and stays so', async (t) => {
    const { replicas, relay } = await startBehindRelay(t, { replicas: 1, env: ENV, places: 3 });
    const [replica] = replicas;
    relay.delayBy(120);
    const load = startLoad(t, {
      clients: 3,
      next: (count) => replica!.url + placePath(count % 3),
      headers: anyClient,
    });
    const { reason } = await replica!.waitFor('redis_degraded', undefined, 30_000);
    assert.equal(reason, 'slow');
    assert.equal(await readiness(replica!), 503);
    await sleep(6000);
    assert.deepEqual(changesOf(replica!).length, 1);
    relay.delayBy(0);
    await replica!.waitFor('redis_recovered');
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    const again = await burst([replica!.url + placePath(0)], { headers: anyClient(77) });
    assert.deepEqual(tally(again), { '200 HIT': 1 });
  });
});
