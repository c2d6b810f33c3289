import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { RedisServer } from '../support/redis-server.js';
import type { Relay } from '../support/relay.js';
import { searchPath } from '../support/searches.js';
import type { Service } from '../support/service.js';
import { recordsFromNow, type NewRecords } from '../support/shared-stack.js';
import { anyClient, startBehindRelay, watchReadiness } from '../support/slow-redis.js';
import { workerFetches } from '../support/coordinated-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { connectTo } from '../support/use-redis.js';

const PLACES = 5;
const LIMIT = 30;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), RATE_LIMIT_TOTAL: '100000' };

/** The commands of health checks, of other connections, and of this test. */
const OF_HEALTH = [
  'eval',
  'set',
  'get',
  'time',
  'ping',
  'subscribe',
  'hello',
  'info',
  'config|resetstat',
];

describe('Redis replies late', () => {
  const lifetime = suiteLifetime();
  let redis: RedisServer;
  let relay: Pick<Relay, 'delayBy' | 'trickle'>;
  let replica: Service;

  before(async () => {
    const stack = await startBehindRelay(lifetime, { replicas: 1, env: ENV, places: PLACES });
    relay = stack.relay;
    redis = stack.servers[0]!;
    replica = stack.replicas[0]!;
  });

  const next = (count: number) => replica.url + placePath(count % PLACES);

  for (const [client, delayMs] of [5, 50, 100].entries()) {
    it(`by ${delayMs} ms: it is used all the time, and the limits are exact`, async (t) => {
      const told = recordsFromNow([replica]);
      relay.delayBy(delayMs);
      const ready = watchReadiness([replica]);
      const load = startLoad(t, { clients: 8, next, headers: anyClient });
      let admitted = 0;
      const headers = { 'X-Forwarded-For': `192.0.2.${client + 1}` };
      for (let n = 0; n < LIMIT + 10; n += 1) {
        const { status } = await attempt(next(n), { headers });
        if (status === 200) admitted += 1;
        else assert.equal(status, 429);
      }
      const replies = await load.stop();
      relay.delayBy(0);
      assert.deepEqual(await ready.stop(), [200]);
      assert.deepEqual([...told.of('redis_unavailable'), ...told.of('redis_recovered')], []);
      assert.equal(admitted, LIMIT);
      assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
    });
  }

  it('pauses of 120 ms while many ask for readiness: nothing changes', async () => {
    const told = recordsFromNow([replica]);
    for (let pause = 0; pause < 3; pause += 1) {
      relay.delayBy(120);
      const asked = Array.from({ length: 20 }, () => readiness(replica));
      await sleep(120);
      relay.delayBy(0);
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
      await sleep(300);
    }
    assert.deepEqual(told.of('redis_unavailable'), []);
  });

  it('by 400 ms: requests are answered without it, and it receives only health checks', async (t) => {
    const told = recordsFromNow([replica]);
    relay.delayBy(400);
    const load = startLoad(t, { clients: 4, next, headers: (n) => anyClient(n + 50_000) });
    const [unavailable] = await told.each('redis_unavailable');
    assert.equal(unavailable?.['reason'], 'no_reply');
    assert.equal(await readiness(replica), 503);
    await administer(redis, (client) => client.config('RESETSTAT'));
    const asked = load.replies.length;
    await eventually(() => load.replies.length >= asked + 500, 'answers without Redis');
    const stats = await administer(redis, (client) => client.info('commandstats'));
    const ran = [...stats.matchAll(/cmdstat_([^:]+):/g)].map(([, command = '']) => command);
    assert.deepEqual(
      ran.filter((command) => !OF_HEALTH.includes(command)),
      [],
    );
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    assert.equal(told.of('redis_unavailable').length, 1);
    assert.deepEqual(told.of('redis_recovered'), []);
    assert.equal(await readiness(replica), 503);

    relay.delayBy(0);
    await told.each('redis_recovered');
    await becomesReady(replica);
  });

  it('byte by byte: it is not used until its replies are complete in time', async () => {
    const told = recordsFromNow([replica]);
    relay.trickle(40);
    await readiness(replica);
    await told.each('redis_unavailable');
    assert.equal(await readiness(replica), 503);
    assert.equal((await attempt(next(1), { headers: anyClient(1) })).status, 200);
    relay.trickle(0);
    await becomesReady(replica);
  });
});

const NEW_CLIENTS = 24;
const search = (n: number) => searchPath(n % 2 ? 'Berlin' : 'Hamburg');

describe('Redis replies late all the time', () => {
  const lifetime = suiteLifetime();
  let stack: Awaited<ReturnType<typeof startBehindRelay>>;
  let admin: Redis;
  before(async () => {
    stack = await startBehindRelay(lifetime, { replicas: 2, env: ENV, places: 3 });
    for (const { url } of stack.replicas) {
      for (const n of [0, 1]) await attempt(url + search(n), { headers: anyClient(n) });
    }
    // Its commands are not late.
    admin = connectTo(lifetime, stack.servers[0]!);
  });

  /** From the state in which all is well; tells the records that come from then on. */
  async function delayBy(milliseconds: number): Promise<NewRecords> {
    stack.relay.delayBy(0);
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
    const told = recordsFromNow(stack.replicas);
    stack.relay.delayBy(milliseconds);
    await sleep(1500);
    return told;
  }

  it('by 100 ms: a new client gets its cookie and its list, and no orphan key is left', async () => {
    const { url } = stack;
    await admin.flushall();
    const told = await delayBy(100);
    const replies = await Promise.all(
      Array.from({ length: NEW_CLIENTS }, (_, n) =>
        attempt(url(search(n)), { headers: anyClient(100 + n) }),
      ),
    );
    assert.deepEqual(tally(replies), { '200 HIT': NEW_CLIENTS });
    const cookies = replies.map(cookieOf).filter((cookie) => cookie !== '');
    assert.equal(cookies.length, NEW_CLIENTS);
    // The answers do not wait for them.
    const keys = async () => (await admin.keys('*')).filter((key) => /:session\d*:/.test(key));
    await eventually(async () => (await keys()).length >= NEW_CLIENTS, 'all sessions');
    assert.equal((await keys()).length, NEW_CLIENTS);
    for (const [n, cookie] of cookies.entries()) {
      const headers = { cookie, ...anyClient(200 + n) };
      const list = await attempt(url('/api/v1/recent-searches'), { headers });
      assert.equal(list.status, 200);
      assert.match(list.text, n % 2 ? /Berlin/ : /Hamburg/);
    }
    assert.deepEqual([...told.of('redis_unavailable'), ...told.of('redis_recovered')], []);
  });

  it('by 100 ms, for a cold place: a new client gets its cookie', async () => {
    await delayBy(100);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        attempt(stack.url(placePath(700 + n)), { headers: anyClient(300 + n) }),
      ),
    );
    assert.deepEqual(Object.keys(tally(replies)), ['200 MISS']);
    assert.deepEqual(
      replies.map(({ cookies }) => cookies.length > 0),
      replies.map(() => true),
    );
  });
});

describe('Redis replies late, and a worker fetches', () => {
  it('by 100 ms, for a cold place: the search is recorded', async (t) => {
    const options = { replicas: 1, workers: 1, env: ENV, places: 1 };
    const processes = await startBehindRelay(t, options);
    const { relay, url } = processes;
    await workerFetches(processes, anyClient(1));
    const cookie = cookieOf(await attempt(url(search(0)), { headers: anyClient(2) }));
    relay.delayBy(100);
    await sleep(300);
    const headers = { cookie, ...anyClient(3) };
    const searched = await attempt(url(searchPath('Dresden')), { headers });
    assert.deepEqual(tally([searched]), { '200 MISS': 1 });
    relay.delayBy(0);
    await sleep(300);
    assert.match((await attempt(url('/api/v1/recent-searches'), { headers })).text, /Dresden/);
  });
});
