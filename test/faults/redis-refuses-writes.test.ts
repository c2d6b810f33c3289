import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { type Stack, startStack } from '../support/stack.js';

const LIMIT = 40;
const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(LIMIT),
  REPLICAS_HINT: '2',
  CACHE_TTL_SECONDS: '120',
};
const anyClient = (count: number) => ({ 'X-Forwarded-For': `10.1.${count % 200}.1` });
const REFUSALS = [
  {
    what: 'read-only',
    refuse: (redis: Redis) => redis.replicaof('127.0.0.1', 1),
    accept: (redis: Redis) => redis.replicaof('NO', 'ONE'),
    reason: 'read_only',
  },
  {
    what: 'out of memory',
    refuse: (redis: Redis) => redis.config('SET', 'maxmemory', '1mb'),
    accept: (redis: Redis) => redis.config('SET', 'maxmemory', '0'),
    reason: 'out_of_memory',
  },
];

async function connections(redis: Redis): Promise<number> {
  const [, count] = /total_connections_received:(\d+)/.exec(await redis.info('stats')) ?? [];
  return Number(count);
}

function administrator(t: TestContext, stack: Stack): Redis {
  const redis = new Redis(stack.redis.url);
  t.after(() => {
    redis.disconnect();
  });
  return redis;
}

for (const { what, refuse, accept, reason } of REFUSALS) {
  describe(`Redis is ${what}`, () => {
    it('reads go on, writes degrade, and everything is normal afterwards', async (t) => {
      const stack = await startStack(t, { replicas: 2, workers: 1, env: ENV });
      const [first, second] = stack.replicas as [
        (typeof stack.replicas)[0],
        (typeof stack.replicas)[0],
      ];
      const redis = administrator(t, stack);
      const search = await attempt(`${first.url}/api/v1/weather?city=Berlin&country=Germany`);
      const cookie = cookieOf(search);
      const searches = (method = 'GET') =>
        attempt(stack.url('/api/v1/recent-searches'), { method, headers: { cookie } });

      await refuse(redis);
      const load = startLoad(t, {
        clients: 4,
        next: (count) => stack.url(placePath(count % 3)),
        headers: anyClient,
      });
      await Promise.all(stack.replicas.map((replica) => replica.waitFor('redis_degraded')));
      assert.equal(first.of('redis_degraded')[0]?.['reason'], reason);
      const before = await connections(redis);

      // The other replica has no copy of its own: it reads the shared one.
      const hit = await attempt(`${second.url}/api/v1/weather?city=Berlin&country=Germany`, {
        headers: { cookie, ...anyClient(1) },
      });
      assert.deepEqual([hit.status, hit.headers['x-cache']], [200, 'HIT']);
      const unrecorded = await attempt(stack.url('/api/v1/weather?city=Hamburg&country=Germany'), {
        headers: { cookie, ...anyClient(2) },
      });
      assert.equal(unrecorded.status, 200);
      assert.equal(unrecorded.headers['set-cookie'], undefined);
      const list = await searches();
      assert.equal(list.status, 200);
      assert.doesNotMatch(list.text, /Hamburg/);
      assert.match(list.text, /Berlin/);

      let admitted = 0;
      for (let n = 0; n < LIMIT * 2; n += 1) {
        const reply = await attempt(stack.url(placePath(0)), {
          headers: { 'X-Forwarded-For': '192.0.2.1' },
        });
        if (reply.status === 200) admitted += 1;
        else assert.equal(reply.status, 429);
      }
      assert.ok(admitted > 0 && admitted <= LIMIT, `${admitted} admitted`);
      for (const replica of stack.replicas) assert.equal(await readiness(replica), 200);

      await sleep(2000);
      const reconnects = (await connections(redis)) - before;
      t.diagnostic(`${reconnects} connections`);
      assert.ok(reconnects < 40, `${reconnects} connections`);

      await accept(redis);
      await Promise.all(stack.replicas.map((replica) => replica.waitFor('redis_recovered')));
      const outcomes = tally(await load.stop());
      assert.deepEqual(
        Object.keys(outcomes).filter((outcome) => !outcome.startsWith('200')),
        [],
      );
      const recorded = await attempt(stack.url('/api/v1/weather?city=Hamburg&country=Germany'), {
        headers: { cookie, ...anyClient(3) },
      });
      assert.equal(recorded.status, 200);
      assert.match((await searches()).text, /Hamburg.*Berlin/);
    });

    it('clearing the recent searches is refused, and changes nothing', async (t) => {
      const stack = await startStack(t, { replicas: 1, workers: 1 });
      const redis = administrator(t, stack);
      const search = await attempt(stack.url('/api/v1/weather?city=Berlin&country=Germany'));
      const cookie = cookieOf(search);
      const path = '/api/v1/recent-searches';
      await refuse(redis);
      const cleared = await attempt(stack.url(path), { method: 'DELETE', headers: { cookie } });
      assert.equal(cleared.status, 503);
      const { text } = await attempt(stack.url(path), { headers: { cookie } });
      assert.match(text, /Berlin/);
      await accept(redis);
    });
  });
}
