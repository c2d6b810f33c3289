import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { becomesReady } from '../support/readiness.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { administer } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { assertUsesNewMaster } from './sentinel-failover.js';

describe('a master behind three sentinels', () => {
  it('is replaced when it is killed: the service uses the new one', async (t) => {
    await assertUsesNewMaster(t, 'SIGKILL');
  });

  it('has no connection of the service after SENTINEL FAILOVER', async (t) => {
    const set = await startSentinelSet();
    const env = { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master };
    const processes = await startProcesses(t, { replicas: 1, workers: 1, env, store: set });
    await becomesReady(processes.replicas[0]!);
    const old = await set.current();
    /** The connections to the old master that the service opened. Sentinels and replicas name theirs. */
    const connections = () =>
      administer(old, async (redis) => {
        const lists = ['normal', 'pubsub'].map((type) =>
          redis.call('CLIENT', 'LIST', 'TYPE', type),
        );
        const lines = String(await Promise.all(lists)).split('\n');
        return lines.filter(
          (line) => line.includes(' name= ') && !line.includes('cmd=client|list'),
        );
      });
    await eventually(async () => (await connections()).length >= 4, 'all connections');

    const [sentinel = ''] = set.addresses.split(',');
    const port = Number(sentinel.split(':')[1]);
    await administer({ port }, (redis) => redis.call('SENTINEL', 'FAILOVER', set.master));
    await eventually(async () => (await set.current()) !== old, 'another master');
    // Without the failover detector of the client, it takes more than ten seconds.
    await eventually(async () => (await connections()).length === 0, 'no connection', 9000);
  });
});
