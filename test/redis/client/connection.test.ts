import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { connect } from '../../../src/redis/client/connection.js';
import { startRedisCluster } from '../../support/redis-cluster.js';
import { useRedis } from '../../support/use-redis.js';

const NODE = { host: '127.0.0.1', port: 1 };

describe('a connection over TLS', () => {
  const tls = { ca: 'certificate' };
  const url = 'rediss://user:p%40ss@ignored/3';

  it('to the master that sentinels name sends no credential unencrypted', () => {
    const address = { sentinels: [NODE], master: 'm', password: 's' };
    const client = connect({ kind: 'sentinel', ...address, url, tls }, 'requests');
    client.disconnect();
    assert.ok(client instanceof Redis);
    const { username, password, db, sentinelPassword, ...options } = client.options;
    assert.deepEqual([username, password, db, sentinelPassword], ['user', 'p@ss', 3, 's']);
    assert.deepEqual(
      [options.tls, options.sentinelTLS, options.enableTLSForSentinelMode],
      [tls, tls, true],
    );
  });

  it('to each node of a cluster has the credentials', () => {
    const client = connect({ kind: 'cluster', nodes: [NODE], url, tls }, 'requests');
    client.disconnect();
    assert.ok(client instanceof Cluster);
    const { username, password, tls: used } = client.options.redisOptions ?? {};
    assert.deepEqual([username, password, used], ['user', 'p@ss', tls]);
  });
});

describe('a connection to a cluster', () => {
  const redis = useRedis();

  it('does not resend a command that a node may have run', async (t) => {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 60_000 });
    t.after(() => cluster.stop());
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

  it('of a subscriber tries the next node after a failure', async (t) => {
    const nodes = [NODE, { host: '127.0.0.1', port: Number(new URL(redis.url).port) }];
    // Each begins at a random node.
    for (let n = 0; n < 8; n += 1) {
      const client = connect({ kind: 'cluster', nodes }, 'subscriber');
      t.after(() => {
        client.disconnect();
      });
      await client.subscribe('channel');
    }
  });
});
