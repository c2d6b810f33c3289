import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UPSTREAMS, urlVariable } from '../../src/config/providers.js';
import { eventually } from '../support/eventually.js';
import { holdLookups } from '../support/held-lookups.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { administer, startRedis, type RedisServer } from '../support/redis-server.js';
import { searchAt } from '../support/searches.js';
import { startProcesses } from '../support/stack.js';

/** The connections of clients, without the one that counts them. */
async function connectionsTo(redis: RedisServer): Promise<number> {
  const list = await administer(redis, (client) => client.client('LIST'));
  return String(list).trim().split('\n').length - 1;
}

async function cutConnectionsTo(redis: RedisServer): Promise<void> {
  await administer(redis, async (client) => {
    for (const type of ['normal', 'pubsub']) await client.call('CLIENT', 'KILL', 'TYPE', type);
  });
}

it('lookups of provider names that hang do not delay connections to Redis', async (t) => {
  const redis = await startRedis();
  const lookups = holdLookups(t);
  const processes = await startProcesses(t, { replicas: 0, workers: 0, store: redis });
  const urls = UPSTREAMS.map(([name]) => [
    urlVariable(name),
    `http://held-${name}.example:${processes.upstream.port}`,
  ]);
  const replica = await processes.addReplica({
    UPSTREAM_TIMEOUT_MS: '2000',
    // A name, so that Redis needs lookups, too.
    REDIS_URL: `redis://localhost:${redis.port}`,
    ...(Object.fromEntries(urls) as Record<string, string>),
    ...lookups.env,
  });
  await becomesReady(replica);
  const connections = await connectionsTo(redis);

  const cold = [0, 1, 2, 3].map((n) => attempt(replica.url + placePath(n)));
  const unknown = searchAt(replica.url, 'Nowhereville', {});
  await eventually(() => lookups.started() > 0, 'a lookup');
  for (let cut = 0; cut < 3; cut += 1) {
    await cutConnectionsTo(redis);
    await eventually(async () => (await connectionsTo(redis)) === connections, 'new connections');
    assert.equal(await readiness(replica), 200);
  }
  assert.equal((await unknown).status, 400);
  for (const { status } of await Promise.all(cold)) assert.equal(status, 503);
  // The thread pool of Node.js has two threads for lookups. One remains for Redis.
  assert.equal(lookups.started(), 1);

  lookups.release();
  const isFound = async () => (await attempt(replica.url + placePath(4))).status === 200;
  await eventually(isFound, 'a call to a provider');
});
