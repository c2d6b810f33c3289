import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchOver } from '../support/child-processes.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { administer, startRedis } from '../support/redis-server.js';
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

/** A server that takes a minute to load its data. */
async function loadingRedis(): Promise<Store> {
  const dir = await mkdtemp(join(tmpdir(), 'weather-loading-'));
  const redis = await startRedis({
    args: ['--dir', dir, '--enable-debug-command', 'yes'],
  });
  const { port, url } = redis;
  await administer(redis, async (client) => {
    await client.call('DEBUG', 'POPULATE', '20000');
    await client.call('SAVE');
  });
  await redis.stop();
  const slow = ['--key-load-delay', '3000', '--loading-process-events-interval-bytes', '1024'];
  const child = spawn('redis-server', ['--port', String(port), '--dir', dir, ...slow]);
  watchOver(child);
  return {
    env: { REDIS_URL: url },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(dir, { recursive: true });
    },
  };
}

const CASES: [what: string, message: RegExp, start: () => Promise<Store>, reason?: string][] = [
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
    'a server without a free connection',
    /^ERR max number of clients reached/,
    async () => {
      const store = await withRedis((url) => ({ REDIS_URL: url }), ['--maxclients', '1']);
      const port = Number(new URL(store.env['REDIS_URL']!).port);
      // Takes the only connection until the test ends.
      void administer({ port }, () => sleep(60_000, undefined, { ref: false }));
      await sleep(200);
      return store;
    },
  ],
  ['a server that loads its data', /^LOADING /, loadingRedis, 'loading'],
];

const startOn = (t: TestContext, store: Store) =>
  startProcesses(t, { replicas: 1, workers: 1, env: store.env, store });

describe('a Redis that cannot be used', { concurrency: 3 }, () => {
  for (const [what, message, start, reason = 'refused'] of CASES) {
    it(`${what}: its message is logged, and the replica is not ready`, async (t) => {
      const store = await start();
      const { replicas, workers } = await startOn(t, store);
      const [replica] = replicas;
      const isExpected = (record: LogRecord) =>
        record['reason'] === reason && message.test(String(record['message']));
      await replica!.waitFor('redis_unavailable', isExpected);
      for (let n = 1; n <= 10; n += 1) {
        assert.equal((await attempt(replica!.url + placePath(n))).status, 200);
        await sleep(200);
      }
      assert.equal(await readiness(replica!), 503);
      for (const process of [replica!, ...workers]) {
        const warnings = process.records.filter(({ level }) =>
          ['WARNING', 'ERROR'].includes(level),
        );
        assert.ok(warnings.length <= 3, JSON.stringify(warnings));
      }
    });
  }

  it('receives no write in a database that REDIS_URL does not name', async (t) => {
    const redis = await startRedis();
    const env = { REDIS_URL: `${redis.url}/99` };
    const { replicas } = await startOn(t, { env, stop: () => redis.stop() });
    await replicas[0]!.waitFor('redis_unavailable');
    for (let n = 1; n <= 5; n += 1) await attempt(replicas[0]!.url + placePath(n));
    assert.equal(await administer(redis, (client) => client.dbsize()), 0);
  });

  it('that evicts keys is logged once, and used', async (t) => {
    const store = await withRedis(
      (url) => ({ REDIS_URL: url }),
      [...['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru']],
    );
    const { replicas } = await startOn(t, store);
    await becomesReady(replicas[0]!);
    const record = await replicas[0]!.waitFor('redis_evicts');
    assert.deepEqual([record.level, record['policy']], ['WARNING', 'volatile-lru']);
  });
});
