import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { workerFetches } from '../support/agreed-fetches.js';
import { makeCertificate, type Certificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { asArguments, tlsSettings } from '../support/redis-tls.js';
import { startProcesses } from '../support/stack.js';

const USER = 'weather';
const PASSWORD = 'p@ss:word/?#';
const SENTINEL_PASSWORD = 'another-word';

/** A store that speaks TLS, and the variables by which it is found. */
interface TlsStore {
  env: Record<string, string>;
  stop(): Promise<void>;
}

const STORES: Record<string, (certificate: Certificate) => Promise<TlsStore>> = {
  async 'one Redis with user and password'(certificate) {
    const port = await freePort();
    const redis = await startRedis({
      // prettier-ignore
      args: [...asArguments(tlsSettings(certificate, port)),
        '--user', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all'],
    });
    const url = `rediss://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
    return { env: { REDIS_URL: url }, stop: () => redis.stop() };
  },
  async 'a master and its sentinels, each with a password of its own'(certificate) {
    const set = await startSentinelSet({
      certificate,
      serverPassword: PASSWORD,
      sentinelPassword: SENTINEL_PASSWORD,
    });
    const env = {
      REDIS_URL: `rediss://:${encodeURIComponent(PASSWORD)}@sentinels/1`,
      REDIS_SENTINELS: set.addresses,
      REDIS_SENTINEL_MASTER: set.master,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    };
    return { env, stop: () => set.stop() };
  },
  async 'a cluster'(certificate) {
    const cluster = await startRedisCluster({ certificate });
    const env = { REDIS_URL: 'rediss://cluster', REDIS_CLUSTER_NODES: cluster.addresses };
    return { env, stop: () => cluster.stop() };
  },
};

describe('Redis over TLS', () => {
  for (const [what, start] of Object.entries(STORES)) {
    it(`${what}: serves those who trust its certificate, and nobody else`, async (t) => {
      const certificate = await makeCertificate(t);
      const store = await start(certificate);
      const env = { ...store.env, NODE_EXTRA_CA_CERTS: certificate.cert };
      const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store });
      await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
      const outcomes: unknown[] = [];
      for (const { url } of processes.replicas) {
        outcomes.push((await attempt(url + placePath(1))).headers['x-cache']);
      }
      assert.deepEqual(outcomes, ['MISS', 'HIT']);
      await workerFetches(processes);

      const distrustful = await processes.addReplica({ NODE_EXTRA_CA_CERTS: '' });
      const { reason } = await distrustful.waitFor('redis_degraded');
      // The clients of sentinels and of clusters do not tell why a connection was closed.
      const isTold = what.startsWith('one Redis');
      assert.ok([isTold ? '' : 'no_connection', 'wrong_certificate'].includes(String(reason)));
      const until = Date.now() + 2000;
      while (Date.now() < until) assert.equal(await readiness(distrustful), 503);
    });
  }
});

/** Keeps what comes over each connection, and answers nothing. */
async function startListener(t: TestContext): Promise<{ port: number; heard: Buffer[] }> {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      heard.push(chunk);
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

describe('a rediss:// address', () => {
  /** The first byte of a TLS handshake. */
  const HANDSHAKE = 0x16;

  for (const [what, envAt] of [
    ['alone', (port: number) => ({ REDIS_URL: `rediss://u:secret@127.0.0.1:${port}` })],
    [
      'with sentinels',
      (port: number) => ({
        REDIS_URL: 'rediss://u:secret@sentinels',
        REDIS_SENTINELS: `127.0.0.1:${port}`,
        REDIS_SENTINEL_MASTER: 'weather',
        REDIS_SENTINEL_PASSWORD: 'secret',
      }),
    ],
    [
      'with a cluster',
      (port: number) => ({
        REDIS_URL: 'rediss://u:secret@cluster',
        REDIS_CLUSTER_NODES: `127.0.0.1:${port}`,
      }),
    ],
  ] as const) {
    it(`${what}: nothing goes out in clear`, async (t) => {
      const { port, heard } = await startListener(t);
      await startProcesses(t, { replicas: 1, workers: 1, env: envAt(port) });
      // Both processes, each with all of its connections.
      await eventually(() => heard.length >= 12, 'connections');
      for (const bytes of heard) {
        assert.equal(bytes[0], HANDSHAKE);
        assert.ok(!bytes.includes('secret'));
      }
    });
  }
});
