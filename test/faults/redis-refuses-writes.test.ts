import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, startLoad } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow, useStack } from '../support/shared-stack.js';
import { anyClient } from '../support/slow-redis.js';

const REFUSALS = [
  {
    what: 'read-only',
    refuse: (redis: Redis) => redis.replicaof('127.0.0.1', 1),
    accept: (redis: Redis) => redis.replicaof('NO', 'ONE'),
    reason: 'read_only',
    cities: ['Berlin', 'Hamburg'],
    deleteStatus: 503,
  },
  {
    what: 'out of memory',
    refuse: (redis: Redis) => redis.config('SET', 'maxmemory', '1mb'),
    accept: (redis: Redis) => redis.config('SET', 'maxmemory', '0'),
    reason: 'out_of_memory',
    cities: ['Munich', 'Cologne'],
    // Deleting needs no memory.
    deleteStatus: 200,
  },
] as const;

for (const { what, refuse, accept, reason, cities, deleteStatus } of REFUSALS) {
  describe(`Redis refuses writes: ${what}`, () => {
    const stackOf = useStack({
      replicas: 2,
      workers: 1,
      env: {
        ...{ TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '40', REPLICAS_HINT: '2' },
        CACHE_TTL_SECONDS: '120',
      },
    });

    it('reads go on, writes degrade, and all is normal afterwards', async (t) => {
      const { redis, replicas, workers, url } = stackOf();
      const [first, second] = replicas;
      const [known, unknown] = cities;
      const weather = (base: string, city: string, headers = {}) =>
        searchAt(base, city, { headers });
      const cookie = cookieOf(await weather(first!.url, known));
      const deleted = cookieOf(await weather(first!.url, known));
      const searches = () => attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
      const connections = async () => {
        const stats = await administer(redis, (client) => client.info('stats'));
        return Number(/total_connections_received:(\d+)/.exec(stats)?.[1]);
      };

      const told = recordsFromNow(replicas);
      await administer(redis, refuse);
      const load = startLoad(t, {
        clients: 4,
        next: (count) => url(placePath(count % 3)),
        headers: anyClient,
      });
      const [unavailable] = await told.each('redis_unavailable');
      assert.equal(unavailable?.['reason'], reason);

      // The other replica has no near cache entry: it reads the shared one.
      const hit = await weather(second!.url, known, { cookie, ...anyClient(1) });
      assert.deepEqual([hit.status, hit.headers['x-cache']], [200, 'HIT']);
      const unrecorded = await weather(first!.url, unknown, { cookie, ...anyClient(2) });
      assert.deepEqual([unrecorded.status, unrecorded.headers['set-cookie']], [200, undefined]);
      const headers = { cookie: deleted };
      const cleared = await attempt(url('/api/v1/recent-searches'), { method: 'DELETE', headers });
      assert.equal(cleared.status, deleteStatus);
      const list = await searches();
      assert.equal(list.status, 200);
      assert.ok(list.text.includes(known) && !list.text.includes(unknown), list.text);
      for (let n = 0; n < 100; n += 1) {
        const headers = { cookie, ...anyClient(100_000 + n) };
        const again = await attempt(url('/api/v1/recent-searches'), { headers });
        assert.equal(again.status, 200, `after ${n} answers`);
        await sleep(20);
      }
      assert.deepEqual(await Promise.all(replicas.map(readiness)), [200, 200]);

      const [before, asked] = [await connections(), load.replies.length];
      await eventually(() => load.replies.length > asked + 300, 'answers');
      const reconnects = (await connections()) - before;
      // A few by each probe: the longer these answers take, the more.
      assert.ok(reconnects < 150, `${reconnects} connections for 300 requests`);

      await administer(redis, accept);
      await told.each('redis_recovered');
      assertOutcomes(await load.stop());
      const recorded = await weather(second!.url, unknown, { cookie, ...anyClient(3) });
      assert.equal(recorded.status, 200);
      assert.match((await searches()).text, new RegExp(`${unknown}.*${known}`));
      // Redis sends this error to a worker that waits with a blocking command.
      assert.deepEqual(workers[0]!.of('worker_failing'), []);
    });
  });
}
