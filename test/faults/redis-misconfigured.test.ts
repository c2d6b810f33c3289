import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startRedis } from '../support/redis-server.js';
import type { LogRecord } from '../support/service.js';
import { startProcesses } from '../support/stack.js';

/** A server, and the variables that lead to it. */
interface Store {
  env: Record<string, string>;
  stop(): Promise<void>;
}

async function withRedis(
  env: (url: string, port: number) => Record<string, string>,
  args: string[] = [],
): Promise<Store> {
  const redis = await startRedis({ args });
  return { env: env(redis.url, redis.port), stop: () => redis.stop() };
}

const CASES: [what: string, message: RegExp, start: () => Promise<Store>][] = [
  [
    'a database that does not exist',
    /^ERR DB index is out of range/,
    () => withRedis((url) => ({ REDIS_URL: `${url}/99` })),
  ],
  [
    'a node of a cluster as a single server',
    /^CROSSSLOT /,
    async () => {
      const cluster = await startRedisCluster();
      return { env: { REDIS_URL: cluster.nodes[0]!.url }, stop: () => cluster.stop() };
    },
  ],
  [
    'a single server as a cluster',
    /^ERR This instance has cluster support disabled/,
    () => withRedis((_, port) => ({ REDIS_URL: '', REDIS_CLUSTER_NODES: `127.0.0.1:${port}` })),
  ],
  [
    'a server without TLS as one with TLS',
    /ETIMEDOUT/,
    () => withRedis((_, port) => ({ REDIS_URL: `rediss://127.0.0.1:${port}` })),
  ],
];

const startOn = (t: TestContext, store: Store) =>
  startProcesses(t, { replicas: 1, workers: 0, env: store.env, store });

describe('a Redis that cannot be used', { concurrency: 3 }, () => {
  for (const [what, message, start] of CASES) {
    it(`${what}: its message is logged, and the replica is not ready`, async (t) => {
      const store = await start();
      const { replicas } = await startOn(t, store);
      const [replica] = replicas;
      const isExpected = (record: LogRecord) => message.test(String(record['message']));
      await replica!.waitFor('redis_unavailable', isExpected);
      for (let n = 1; n <= 10; n += 1) {
        assert.equal((await attempt(replica!.url + placePath(n))).status, 200);
        await sleep(200);
      }
      assert.equal(await readiness(replica!), 503);
      const isWarning = ({ level }: LogRecord) => level === 'WARNING' || level === 'ERROR';
      const warnings = replica!.records.filter(isWarning);
      assert.ok(warnings.length <= 4, JSON.stringify(warnings));
    });
  }

  it('that evicts keys is logged once, and used', async (t) => {
    const store = await withRedis(
      (url) => ({ REDIS_URL: url }),
      [...['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru']],
    );
    const { replicas } = await startOn(t, store);
    await becomesReady(replicas[0]!);
    const record = await replicas[0]!.waitFor('redis_eviction_policy');
    assert.deepEqual([record.level, record['policy']], ['WARNING', 'volatile-lru']);
  });
});
