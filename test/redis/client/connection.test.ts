import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { connect } from '../../../src/redis/client/connection.js';
import { startRedisCluster, type RedisCluster } from '../../support/redis-cluster.js';

describe('a connection to the master that sentinels name', () => {
  it('uses the database of the URL', (t) => {
    const sentinels = [{ host: '127.0.0.1', port: 1 }];
    const url = 'redis://user:secret@ignored/3';
    const client = connect({ kind: 'sentinel', sentinels, master: 'm', url }, 'requests');
    t.after(() => {
      client.disconnect();
    });
    assert.ok(client instanceof Redis);
    assert.equal(client.options.db, 3);
  });
});

describe('a connection to a cluster', () => {
  let cluster: RedisCluster;
  before(async () => {
    cluster = await startRedisCluster({ nodeTimeoutMs: 60_000 });
  });
  after(() => cluster.stop());

  it('does not resend a command that a node may have run', async (t) => {
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const client = connect({ kind: 'cluster', nodes }, 'requests');
    t.after(() => {
      client.disconnect();
    });
    assert.ok(client instanceof Cluster);
    await once(client, 'ready');
    assert.equal(await client.incr('count'), 1);
    const node = await cluster.nodeOf('count');
    await node.kill('SIGSTOP');
    const counting = client.incr('count');
    await sleep(100);
    for (const one of client.nodes()) if (one.status === 'ready') one.stream.destroy();
    await assert.rejects(counting, /Connection is closed/);
    // The node reads the first command now.
    await node.kill('SIGCONT');
    // A resent command would run before this one.
    await sleep(500);
    assert.equal(await client.get('count'), '2');
  });
});
