import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst, percentile, type Reply, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import { startRelay } from '../support/relay.js';
import { type Stack, startProcesses, startStack } from '../support/stack.js';
import { anyClient } from '../support/http-client.js';

const PLACES = 5;
const LIMIT = 60;
const REPLICAS = 2;
const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(LIMIT),
  REPLICAS_HINT: String(REPLICAS),
};
const cached = (stack: Stack) => (count: number) => stack.url(placePath(count % PLACES));

/** Puts the places into the cache and into the memory of each replica. */
async function warm(stack: Stack): Promise<void> {
  const urls = Array.from({ length: PLACES }, (_, n) =>
    stack.replicas.map(({ url }) => url + placePath(n)),
  ).flat();
  for (const reply of await burst(urls, { headers: { 'X-Forwarded-For': '10.9.9.9' } })) {
    assert.equal(reply.status, 200);
  }
}

/** One client that asks more than it may, of all replicas in turn. */
async function greedy(stack: Stack, address: string): Promise<{ admitted: number }> {
  const headers = { 'X-Forwarded-For': address };
  let admitted = 0;
  for (let n = 0; n < LIMIT * 2; n += 1) {
    const { status } = await attempt(cached(stack)(n), { headers });
    if (status === 200) admitted += 1;
    else assert.equal(status, 429);
  }
  return { admitted };
}

async function untilDegraded(stack: Stack): Promise<void> {
  for (const replica of stack.replicas) await replica.waitFor('redis_degraded');
}

/** A search in a session of its own; tells the cookie. */
async function search(stack: Stack, city: string): Promise<string> {
  const path = `/api/v1/weather?city=${city}&country=Germany`;
  const reply = await attempt(stack.url(path), { headers: anyClient(7) });
  assert.equal(reply.status, 200);
  return cookieOf(reply);
}

const recentSearches = (stack: Stack, cookie: string): Promise<Reply> =>
  attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });

describe('Redis is killed under load', () => {
  it('cached places are served, limits stay within the local share, and everything is normal afterwards', async (t) => {
    const stack = await startStack(t, { replicas: REPLICAS, workers: 1, env: ENV });
    await warm(stack);
    const load = startLoad(t, { clients: 6, next: cached(stack), headers: anyClient });
    await sleep(500);
    await stack.redis.kill('SIGKILL');
    await untilDegraded(stack);
    for (const replica of stack.replicas) assert.equal(await readiness(replica), 503);
    const { admitted } = await greedy(stack, '192.0.2.1');
    assert.ok(admitted <= LIMIT && admitted > 0, `${admitted} admitted`);

    await stack.redis.restart();
    const returned = Date.now();
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica, 3000)));
    for (const replica of stack.replicas) await replica.waitFor('redis_recovered');
    t.diagnostic(`ready after ${Date.now() - returned} ms`);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);

    assert.equal((await greedy(stack, '192.0.2.2')).admitted, LIMIT);
    const cold = await attempt(stack.url(placePath(800)), { headers: anyClient(1) });
    assert.equal(cold.headers['x-cache'], 'MISS');
    await workerFetches(stack, anyClient(1));
  });

  it('a cold place is fetched all the same', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    await stack.redis.kill('SIGKILL');
    const replies = await burst(Array.from({ length: 50 }, () => stack.url(placePath(1))));
    // Whoever came during the fetch waited for it; whoever came later found its end.
    const { '200 COALESCED': waited = 0, '200 HIT': later = 0, ...others } = tally(replies);
    assert.deepEqual(others, { '200 MISS': 1 });
    assert.equal(waited + later, 49);
    // One for each such fetch while Redis is unavailable: the message is enough, a stack is too much.
    const { key, reason, err } = await stack.replicas[0]!.waitFor('fetch_uncoordinated');
    assert.match(`${String(key)} ${String(reason)}`, /^weather:\S+ Redis\b/);
    assert.equal(err, undefined);
    await becomesUnready(stack);
  });
});

async function becomesUnready(stack: Stack): Promise<void> {
  for (const replica of stack.replicas) {
    await eventually(async () => (await readiness(replica)) === 503, 'an unready replica', 5000);
  }
}

describe('Redis hangs', () => {
  it('under load nobody waits long, and later hardly at all; sessions return after it', async (t) => {
    const stack = await startStack(t, { replicas: REPLICAS, workers: 1, env: ENV });
    await warm(stack);
    const cookie = await search(stack, 'Berlin');
    const load = startLoad(t, { clients: 6, next: cached(stack), headers: anyClient });
    await sleep(500);
    await stack.redis.kill('SIGSTOP');
    const stopped = Date.now();
    await untilDegraded(stack);
    const asked = performance.now();
    assert.deepEqual(await Promise.all(stack.replicas.map(readiness)), [503, 503]);
    assert.ok(performance.now() - asked < 1000, 'readiness answers within one second');

    const during = await attempt(stack.url('/api/v1/weather?city=Munich&country=Germany'), {
      headers: { cookie, ...anyClient(3) },
    });
    assert.equal(during.status, 200);
    assert.equal(during.headers['set-cookie'], undefined, 'the cookie stays as it was');
    assert.equal((await recentSearches(stack, cookie)).status, 503);
    const { admitted } = await greedy(stack, '192.0.2.1');
    assert.ok(admitted <= LIMIT && admitted > 0, `${admitted} admitted`);
    await sleep(Math.max(0, 8000 - (Date.now() - stopped)));

    await stack.redis.kill('SIGCONT');
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica, 5000)));
    const replies = await load.stop();
    assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
    assert.ok(percentile(replies, 1) < 1500, `${percentile(replies, 1)} ms at most`);
    const later = replies.filter(({ at }) => at > stopped + 2000);
    assert.ok(percentile(later, 0.5) < 60, `${percentile(later, 0.5)} ms in the middle`);
    t.diagnostic(`p50 ${percentile(later, 0.5)}, p99 ${percentile(replies, 0.99)}`);

    const list = await recentSearches(stack, cookie);
    assert.equal(list.status, 200);
    assert.match(list.text, /"city":"Berlin"/);
  });

  for (const [what, env] of [
    ['without a worker', {}],
    ['with a worker in the process', { RUN_WORKER: 'true' }],
  ] as const) {
    it(`one request alone waits at most 250 ms for it in all, ${what}`, async (t) => {
      const stack = await startStack(t, {
        replicas: 1,
        workers: 0,
        env: { ...env, RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '1000' },
      });
      // Warm connections: what is measured is the wait.
      await attempt(stack.url(placePath(0)));
      const times: number[] = [];
      for (let n = 1; n <= 2; n += 1) {
        await stack.redis.kill('SIGSTOP');
        const reply = await attempt(stack.url(placePath(n)));
        assert.equal(reply.status, 200);
        times.push(reply.ms);
        await stack.redis.kill('SIGCONT');
        await becomesReady(stack.replicas[0]!);
        await sleep(300);
      }
      t.diagnostic(times.map(Math.round).join(', '));
      // The least of two: a busy machine delays some, a missing limit all.
      assert.ok(Math.min(...times) < 350, `${times.map(Math.round).join(', ')} ms`);
    });

    it(`the answer is not delayed when it hangs while the fetch runs, ${what}`, async (t) => {
      const stack = await startStack(t, { replicas: 1, workers: 0, env });
      await attempt(stack.url(placePath(0)));
      const times: number[] = [];
      for (let n = 1; n <= 2; n += 1) {
        const called = new Promise<void>((resolve) => {
          const timer = setInterval(() => {
            if (stack.upstream.count('/v1/forecast') === 0) return;
            clearInterval(timer);
            resolve();
          }, 5);
        });
        stack.upstream.reset();
        stack.upstream.behave('/v1/forecast', { kind: 'ok', delayMs: 500 });
        const asked = attempt(stack.url(placePath(n)));
        await called;
        await stack.redis.kill('SIGSTOP');
        const reply = await asked;
        assert.equal(reply.status, 200);
        times.push(reply.ms);
        await stack.redis.kill('SIGCONT');
        await becomesReady(stack.replicas[0]!);
        await sleep(300);
      }
      t.diagnostic(times.map(Math.round).join(', '));
      assert.ok(Math.min(...times) < 1300, `${times.map(Math.round).join(', ')} ms`);
    });
  }
});

describe('Redis is slow', () => {
  it('it is not asked until it is fast again, and nobody waits for it meanwhile', async (t) => {
    const redis = await startRedis();
    const relay = await startRelay(t, redis.port);
    const processes = await startProcesses(t, {
      replicas: 1,
      workers: 0,
      env: { REDIS_URL: `redis://127.0.0.1:${relay.port}`, ...ENV },
      store: redis,
    });
    const [replica] = processes.replicas;
    await becomesReady(replica!);
    const path = replica!.url + placePath(0);
    await attempt(path);
    relay.delayBy(300);
    const slow = await attempt(path, { headers: anyClient(1) });
    assert.equal(slow.status, 200);
    await replica!.waitFor('redis_degraded');
    const replies: Reply[] = [];
    for (let n = 0; n < 40; n += 1) replies.push(await attempt(path, { headers: anyClient(n) }));
    assert.deepEqual(tally(replies), { '200 HIT': 40 });
    assert.ok(percentile(replies, 0.5) < 60, `${percentile(replies, 0.5)} ms in the middle`);

    relay.delayBy(0);
    await replica!.waitFor('redis_recovered');
    await becomesReady(replica!);
  });
});
