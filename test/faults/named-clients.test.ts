import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, type Reply } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady, hasRecovered } from '../support/readiness.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { administer, freePort, startRedis, type RedisServer } from '../support/redis-server.js';
import { startProcesses, type Processes } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

const folder = mkdtempSync(join(tmpdir(), 'weather-keys-'));
const FILE = join(folder, 'clients');
const KEYS = { gateway: 's3cret-gateway', plain: 's3cret-plain' };
writeFileSync(
  FILE,
  `gateway ${hash('sha256', KEYS.gateway)} 6/3600\nplain ${hash('sha256', KEYS.plain)}\n`,
);
after(() => {
  rmSync(folder, { recursive: true });
});

const ENV = {
  CLIENTS_FILE: FILE,
  RATE_LIMIT_PER_IP: '30',
  RATE_LIMIT_TOTAL: '1000',
  RATE_LIMIT_FETCHES_PER_IP: '1',
  TRUST_PROXY: '1',
  WEATHER_PROVIDERS: 'open-meteo',
};
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const from = (ip: string) => ({ 'X-Forwarded-For': ip });
const outcome = ({ status, headers }: Reply) => `${status} ${String(headers['x-cache'])}`;

/** Starts two replicas, and the functions that send a request to one of them. */
async function startTwo(
  lifetime: ReturnType<typeof suiteLifetime>,
  address: Record<string, string>,
  store: { stop(): Promise<void> },
) {
  const ports = [await freePort(), await freePort()];
  const processes = await startProcesses(lifetime, {
    ...{ replicas: 0, workers: 0, store },
    env: { ...ENV, ...address },
  });
  for (const port of ports) await processes.addReplica({ METRICS_PORT: String(port) });
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  return { processes, ports };
}

/** Sends a request to one of the replicas. */
const at = (
  { replicas }: Processes,
  index: number,
  place: number,
  headers: Record<string, string>,
) => attempt(replicas[index % 2]!.url + placePath(place), { headers });

const TOPOLOGIES = {
  'one Redis': async () => {
    const redis = await startRedis();
    return { address: { REDIS_URL: redis.url }, nodes: [redis], store: redis };
  },
  'a cluster': async () => {
    const cluster = await startRedisCluster();
    const { nodes, addresses } = cluster;
    return { address: { REDIS_CLUSTER_NODES: addresses }, nodes, store: cluster };
  },
};

for (const [topology, start] of Object.entries(TOPOLOGIES)) {
  describe(`two replicas with ${topology}`, () => {
    const lifetime = suiteLifetime();
    let nodes: RedisServer[];
    let two: Awaited<ReturnType<typeof startTwo>>;

    before(async () => {
      const { address, nodes: started, store } = await start();
      nodes = started;
      two = await startTwo(lifetime, address, store);
    });

    it('count the requests of a named client in one window, whatever its IP is', async () => {
      const { processes } = two;
      await at(processes, 0, 1, from('203.0.113.9'));
      const left: unknown[] = [];
      for (let n = 0; n < 7; n += 1) {
        const headers = { ...from(`203.0.113.${n + 10}`), ...bearer(KEYS.gateway) };
        const { status, headers: received } = await at(processes, n, 1, headers);
        left.push(status === 200 ? received['x-ratelimit-remaining'] : status);
      }
      assert.deepEqual(left, ['5', '4', '3', '2', '1', '0', 429]);
    });

    it('count a fetch for the client that starts it, and not for one that joins it elsewhere', async () => {
      const { processes } = two;
      const { upstream } = processes;
      const [starter, joiner] = [from('203.0.113.30'), bearer(KEYS.plain)];
      upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000, times: 1 });
      const started = at(processes, 0, 2, starter);
      await eventually(() => upstream.count(PATHS.openMeteo, placeKey(2)) === 1, 'a call');
      const joined = at(processes, 1, 2, joiner);
      assert.deepEqual([await started, await joined].map(outcome), ['200 MISS', '200 MISS']);
      assert.equal(upstream.count(PATHS.openMeteo, placeKey(2)), 1);
      assert.equal((await at(processes, 0, 3, starter)).status, 429);
      assert.equal(outcome(await at(processes, 0, 3, joiner)), '200 MISS');
      const rejected = await at(processes, 1, 4, joiner);
      assert.match(rejected.text, /The limit of 1 requests per client for places that are not/);
    });

    it('write the name of a client, and no part of its key or its hash, anywhere', async () => {
      const { processes, ports } = two;
      const { replicas, upstream } = processes;
      await eventually(
        () => replicas.some(({ records }) => records.some(({ client }) => client === 'plain')),
        'the record of a named client',
      );
      const metrics = await Promise.all(
        ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
      );
      const stored = await Promise.all(
        nodes.map((node) =>
          administer(node, async (redis) => {
            const keys = await redis.keys('*');
            return [keys, await Promise.all(keys.map((key) => redis.dumpBuffer(key)))];
          }),
        ),
      );
      const written = [metrics, replicas.map(({ records }) => records), stored, upstream.calls]
        .map((part) =>
          JSON.stringify(part, (_name, value: unknown) =>
            value instanceof Object && 'type' in value && value.type === 'Buffer'
              ? Buffer.from(value as never).toString('latin1')
              : value,
          ),
        )
        .join();
      assert.match(written, /client=plain/);
      assert.match(written, /client=\\"gateway\\"/);
      assert.doesNotMatch(written, /s3cret|Bearer/);
      for (const key of Object.values(KEYS)) {
        assert.ok(!written.includes(hash('sha256', key).slice(0, 16)));
      }
    });

    it('know the keys while Redis is unavailable, and count a client each alone', async () => {
      const { processes } = two;
      const isReported = () => processes.replicas.every((each) => !hasRecovered(each));
      for (const node of nodes) await node.kill('SIGSTOP');
      await eventually(isReported, 'an outage');
      for (const index of [0, 1]) {
        const reply = await at(processes, index, 1, bearer(KEYS.gateway));
        assert.deepEqual([reply.status, reply.headers['x-ratelimit-remaining']], [200, '5']);
        const unknown = await at(processes, index, 1, bearer(`${KEYS.gateway}x`));
        assert.equal(unknown.status, 401);
      }
      for (const node of nodes) await node.kill('SIGCONT');
      await eventually(() => processes.replicas.every(hasRecovered), 'the end of the outage');
      assert.equal((await at(processes, 0, 1, bearer(KEYS.gateway))).status, 429);
    });
  });
}
