import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../../src/config/config.js';
import type { Purpose } from '../../../src/redis/client/credentials.js';
import { connect, type RedisClient } from '../../../src/redis/client/connection.js';
import { eventually } from '../../support/eventually.js';
import { startRedisCluster } from '../../support/redis-cluster.js';
import { useRedis } from '../../support/use-redis.js';

const NODE = { host: '127.0.0.1', port: 1 };
const DEFAULTS = { ...new Redis({ lazyConnect: true }).options, lazyConnect: false };

/** The options of each purpose that differ from the defaults of the library. */
const COMMON = { connectTimeout: 2000, socketTimeout: 4000, disableClientInfo: true, protocol: 2 };
const BLOCKING = { ...COMMON, maxRetriesPerRequest: null };
const OPTIONS = {
  requests: {
    ...{ ...COMMON, enableOfflineQueue: false, maxRetriesPerRequest: 0 },
    ...{ autoResendUnfulfilledCommands: false, enableReadyCheck: false },
  },
  worker: BLOCKING,
  subscriber: { ...BLOCKING, enableReadyCheck: false, autoResubscribe: false },
};

/** Opens a client, and ends its connection. */
function endedClient(address: RedisAddress, purpose: Purpose): RedisClient {
  const client = connect(address, purpose);
  client.disconnect();
  return client;
}

const optionsOf = (client: RedisClient) => client.options as RedisOptions;

/** The options that are not functions and differ from the defaults. */
function changedOptions(options: object, defaults: object): object {
  const isChanged = ([name, value]: [string, unknown]) =>
    typeof value !== 'function' && value !== Reflect.get(defaults, name);
  return Object.fromEntries(Object.entries(options).filter(isChanged));
}

describe('the options of a connection', () => {
  const tls = { ca: 'certificate' };
  const secrets = { url: 'rediss://user:p%40ss@ignored/3', tls };
  const credentials = {
    ...{ username: 'user', password: 'p@ss', tls, sentinelTLS: tls },
    enableTLSForSentinelMode: true,
  };

  it('to a master that sentinels name send no credential unencrypted', () => {
    const address = { kind: 'sentinel' as const, sentinels: [NODE], master: 'm' };
    for (const purpose of ['requests', 'worker', 'subscriber'] as const) {
      const changed = (more: object) =>
        changedOptions(endedClient({ ...address, ...more }, purpose).options, DEFAULTS);
      const expected = {
        ...{ ...OPTIONS[purpose], sentinels: [NODE], name: 'm' },
        ...{ failoverDetector: true, sentinelCommandTimeout: 1000 },
      };
      assert.deepEqual(changed({}), expected);
      const secret = { ...credentials, sentinelPassword: 's', db: 3 };
      assert.deepEqual(changed({ password: 's', ...secrets }), { ...expected, ...secret });
    }
  });

  it('to a cluster are those of each node, with the credentials', () => {
    for (const [purpose, ...expected] of [
      ['requests', false, 0, 2000],
      ['worker', true, 100, 2000],
    ] as const) {
      const client = endedClient({ kind: 'cluster', nodes: [NODE], ...secrets }, purpose);
      assert.ok(client instanceof Cluster);
      const { options } = client;
      const ofNode = changedOptions(options.redisOptions!, {});
      assert.deepEqual(ofNode, { ...OPTIONS[purpose], ...credentials });
      const { enableOfflineQueue, retryDelayOnFailover, slotsRefreshInterval } = options;
      assert.deepEqual([enableOfflineQueue, retryDelayOnFailover, slotsRefreshInterval], expected);
    }
  });

  it('let it connect again after 400 ms at most, and let a worker leave a read-only server', (t) => {
    const address = { kind: 'single', url: 'redis://127.0.0.1:1' } as const;
    const worker = endedClient(address, 'worker');
    const delays = [1, 2, 3, 4].map((attempt) => optionsOf(worker).retryStrategy?.(attempt));
    assert.deepEqual(delays, [100, 200, 400, 400]);
    const leaves = (message: string) => optionsOf(worker).reconnectOnError?.(new Error(message));
    assert.deepEqual([leaves('READONLY a replica'), leaves('OOM')], [1, false]);
    const disconnect = t.mock.method(worker, 'disconnect', () => undefined);
    worker.emit('error', new Error('ERR DB index is out of range'));
    assert.deepEqual(disconnect.mock.calls[0]?.arguments, [true]);
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
    let count: string | null = null;
    await eventually(async () => {
      count = await client.get('count').catch(() => null);
      return count !== null;
    }, 'a connection to the node');
    assert.equal(count, '2');
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
