import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { administer, type RedisServer } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';

/** The connections that the service opened to a server. Sentinels and replicas name theirs. */
async function connectionsTo(server: RedisServer): Promise<number> {
  const lists = await administer(server, (redis) =>
    Promise.all(['normal', 'pubsub'].map((type) => redis.call('CLIENT', 'LIST', 'TYPE', type))),
  );
  const isOurs = (line: string) => line.includes(' name= ') && !line.includes('cmd=client|list');
  return String(lists).split('\n').filter(isOurs).length;
}

describe('a master behind three sentinels', () => {
  it('has no connection of the service after SENTINEL FAILOVER, and is replaced when it is killed', async (t) => {
    const set = await startSentinelSet();
    const env = { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master };
    const processes = await startProcesses(t, { replicas: 1, workers: 1, env, store: set });
    const { replicas } = processes;
    await Promise.all(replicas.map((replica) => becomesReady(replica)));
    for (const { url } of replicas) for (const n of [0, 1]) await attempt(url + placePath(n));
    const load = startLoad(t, { clients: 4, next: (n) => processes.url(placePath(n % 2)) });

    const first = await set.current();
    await eventually(async () => (await connectionsTo(first)) >= 4, 'all connections');
    const [sentinel = ''] = set.addresses.split(',');
    const port = Number(sentinel.split(':')[1]);
    await administer({ port }, (redis) => redis.call('SENTINEL', 'FAILOVER', set.master));
    await eventually(async () => (await set.current()) !== first, 'another master');
    await eventually(async () => (await connectionsTo(first)) === 0, 'no connection');

    const second = await set.current();
    await second.kill('SIGKILL');
    await eventually(async () => (await set.current()) !== second, 'the first master', 40_000);
    await Promise.all(replicas.map((replica) => becomesReady(replica)));
    await workerFetches(processes);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
  });
});
