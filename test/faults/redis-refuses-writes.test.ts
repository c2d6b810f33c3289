import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, startLoad } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow, useStack } from '../support/shared-stack.js';
import { anyClient } from '../support/http-client.js';
import { connectTo } from '../support/use-redis.js';

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

describe('Redis refuses writes', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: {
      ...{ TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '40', REPLICAS_HINT: '2' },
      CACHE_TTL_SECONDS: '120',
    },
  });

  for (const { what, refuse, accept, reason, cities, deleteStatus } of REFUSALS) {
    it(`still serves reads, no search is recorded, and it is used normally afterwards: ${what}`, async (t) => {
      const { redis, replicas, workers, url } = stackOf();
      const [first, second] = replicas;
      const [known, unknown] = cities;
      const weather = (base: string, city: string, headers = {}) =>
        searchAt(base, city, { headers });
      const cookie = cookieOf(await weather(first!.url, known));
      const deleted = cookieOf(await weather(first!.url, known));
      const searches = () => attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
      const admin = connectTo(t, redis);
      const connections = async () =>
        Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1]);

      const records = recordsFromNow(replicas);
      await refuse(admin);
      const load = startLoad(t, {
        clients: 4,
        next: (count) => url(placePath(count % 3)),
        headers: anyClient,
      });
      const [unavailable] = await records.each('redis_unavailable');
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
      assert.deepEqual(await Promise.all(replicas.map(readiness)), [200, 200]);

      const [before, sent] = [await connections(), load.replies.length];
      await eventually(() => load.replies.length > sent + 300, 'responses');
      const reconnects = (await connections()) - before;
      assert.ok(reconnects < 150, `${reconnects} connections for 300 requests`);

      await accept(admin);
      await records.each('redis_recovered');
      assertOutcomes(await load.stop());
      const recorded = await weather(second!.url, unknown, { cookie, ...anyClient(3) });
      assert.equal(recorded.status, 200);
      assert.match((await searches()).text, new RegExp(`${unknown}.*${known}`));
      // Redis sends this error to a worker that waits by a blocking command.
      assert.deepEqual(workers[0]!.of('worker_failing'), []);
    });
  }
});
