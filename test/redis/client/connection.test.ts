import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { connect } from '../../../src/redis/client/connection.js';
import { eventually } from '../../support/eventually.js';
import { administer, startRedisCluster, type RedisCluster } from '../../support/redis-cluster.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';

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

describe('a connection for requests', () => {
  async function open(t: TestContext) {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const client = connect({ kind: 'single', url: redis.url }, 'requests');
    t.after(() => {
      client.disconnect();
    });
    await once(client, 'ready');
    return { redis, client };
  }

  it('is replaced if the node does not reply', { timeout: 20_000 }, async (t) => {
    const { redis, client } = await open(t);
    await redis.kill('SIGSTOP');
    await assert.rejects(client.ping());
    await redis.kill('SIGCONT');
  });

  it('survives 1.2 s in which this process is busy', async (t) => {
    const { client } = await open(t);
    const outcome = client.ping();
    const until = performance.now() + 1200;
    while (performance.now() < until);
    assert.equal(await outcome, 'PONG');
  });
});

describe('a connection to a cluster', () => {
  let cluster: RedisCluster;
  before(async () => {
    cluster = await startRedisCluster({ nodeTimeoutMs: 60_000 });
  });
  after(() => cluster.stop());

  function open(t: TestContext, purpose: 'requests' | 'subscriber') {
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const client = connect({ kind: 'cluster', nodes }, purpose);
    t.after(() => {
      client.disconnect();
    });
    return client;
  }

  it('does not resend a command that a node may have run', async (t) => {
    const client = open(t, 'requests');
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

  it('of a subscriber moves to another node if its node hangs', async (t) => {
    const client = open(t, 'subscriber');
    await client.subscribe('channel');
    const hasSubscription = async (node: RedisServer) => {
      const reply = await administer(node, (redis) => redis.pubsub('NUMSUB', 'channel'));
      return Number(reply[1]) > 0;
    };
    let source: RedisServer | undefined;
    await eventually(async () => {
      for (const node of cluster.nodes) if (await hasSubscription(node)) source = node;
      return source !== undefined;
    }, 'the subscription');
    await source!.kill('SIGSTOP');
    let answered = 0;
    for (let n = 0; n < 10; n += 1) {
      client.ping().then(
        () => (answered += 1),
        () => undefined,
      );
    }
    await sleep(500);
    assert.equal(answered, 0);
    // Commands without a reply let the client close the connection.
    await eventually(() => answered === 10, 'replies of another node');
    await source!.kill('SIGCONT');
  });
});
