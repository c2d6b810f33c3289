import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { admittedOf, limitIsExact } from '../support/admitted.js';
import { workerFetches } from '../support/coordinated-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst, type Reply, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow, useStack } from '../support/shared-stack.js';
import { anyClient } from '../support/http-client.js';
import { administer } from '../support/redis-server.js';
import type { Stack } from '../support/stack.js';
import { connectTo } from '../support/use-redis.js';

const PLACES = 5;
const LIMIT = 40;
/** Two of each replica, three of the worker, and that of the test itself. */
const CONNECTIONS = 8;
const cached = (stack: Stack) => (count: number) => stack.url(placePath(count % PLACES));

/** Requests the places from each replica, so that they are in its near cache. */
async function warm(stack: Stack): Promise<void> {
  const urls = Array.from({ length: PLACES }, (_, n) =>
    stack.replicas.map(({ url }) => url + placePath(n)),
  ).flat();
  for (const reply of await burst(urls, { headers: { 'X-Forwarded-For': '10.9.9.9' } })) {
    assert.equal(reply.status, 200);
  }
}

/** Waits until no replica is ready: each has then reported that Redis is unavailable. */
async function becomeUnready({ replicas }: Stack): Promise<void> {
  const isUnready = async () =>
    (await Promise.all(replicas.map(readiness))).every((status) => status === 503);
  await eventually(isUnready, 'replicas that are not ready');
}

/** Sends a search in a new session. Returns the cookie. */
async function search(stack: Stack, city: string): Promise<string> {
  const reply = await searchAt(stack.url(''), city, { headers: anyClient(7) });
  assert.equal(reply.status, 200);
  return cookieOf(reply);
}

const isAbandoned = (client: string) => / name=\S+ /.test(client) && client.includes(' cmd=info ');

/**
 * Waits until no process has extra connections, and the worker takes jobs without these old ones.
 * @returns the IDs of the connections with which the worker takes jobs
 */
async function workerConnections({ redis }: Stack, old: string[] = []): Promise<string[]> {
  let ids: string[] = [];
  const areNew = async () => {
    const list = await administer(redis, (client) => client.client('LIST'));
    // BullMQ 6.7 may connect a closed worker's blocking connection once more, if it was resetting
    // it after the outage. Such a connection stays, and does nothing after its handshake.
    const clients = String(list)
      .trim()
      .split('\n')
      .filter((client) => !isAbandoned(client));
    // Its last command is its wait for a job.
    const worker = clients.filter((client) => client.includes(' cmd=bzpopmin '));
    ids = worker.map((client) => client.split(' ', 1)[0]!);
    return (
      clients.length === CONNECTIONS && ids.length === 1 && !ids.some((id) => old.includes(id))
    );
  };
  await eventually(areNew, 'the connections of the worker');
  return ids;
}

const recentSearches = (stack: Stack, cookie: string): Promise<Reply> =>
  attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });

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

describe('under load, Redis', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), REPLICAS_HINT: '2' },
  });

  for (const { what, refuse, accept, reason, cities, deleteStatus } of REFUSALS) {
    it(`that is ${what} still serves reads, no search is recorded, and it is used normally afterwards`, async (t) => {
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

  it('that is killed: hits continue within the per-process limits, and afterwards the limits are exact', async (t) => {
    const stack = stackOf();
    await warm(stack);
    const records = recordsFromNow(stack.replicas);
    const load = startLoad(t, { clients: 6, next: cached(stack), headers: anyClient });
    await eventually(() => load.replies.length > 50, 'a load');
    await stack.redis.kill('SIGKILL');
    await records.each('redis_unavailable');
    await becomeUnready(stack);
    const admitted = await admittedOf('198.51.100.1', LIMIT * 2, cached(stack));
    // Each of the two replicas applies the limit per client IP in full.
    assert.ok(admitted <= 2 * LIMIT && admitted > LIMIT, `${admitted} admitted`);

    await stack.redis.restart();
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
    await records.each('redis_recovered');
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);

    await limitIsExact(LIMIT, cached(stack));
    const cold = await attempt(stack.url(placePath(800)), { headers: anyClient(1) });
    assert.equal(cold.headers['x-cache'], 'MISS');
    await workerFetches(stack, anyClient(1));
  });

  it('that hangs: hits continue, and afterwards the sessions are available again', async (t) => {
    const stack = stackOf();
    await warm(stack);
    const cookie = await search(stack, 'Berlin');
    const connections = await workerConnections(stack);
    const records = recordsFromNow([...stack.replicas, ...stack.workers]);
    const load = startLoad(t, { clients: 6, next: cached(stack), headers: anyClient });
    await stack.redis.kill('SIGSTOP');
    await records.each('redis_unavailable');
    await becomeUnready(stack);

    const during = await searchAt(stack.url(''), 'Munich', { cookie, headers: anyClient(3) });
    assert.equal(during.status, 200);
    assert.equal(during.headers['set-cookie'], undefined, 'the cookie changed');
    assert.equal((await recentSearches(stack, cookie)).status, 503);
    const before = load.replies.length;
    await eventually(() => load.replies.length > before + 100, 'responses without Redis');

    await stack.redis.kill('SIGCONT');
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    const list = await recentSearches(stack, cookie);
    assert.equal(list.status, 200);
    assert.match(list.text, /"city":"Berlin"/);
    // In a cluster, the old connections may stay at a master that hung.
    await workerConnections(stack, connections);
  });
});
