import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config/config.js';
import { connect } from '../../src/redis/client/connection.js';
import { workerFetches } from '../support/coordinated-fetches.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';

const USER = 'weather';
const PASSWORD = 'p@ss:word/?#';
/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16;

/** Starts Redis with a user and a certificate. @param auth whether clients need a certificate */
async function startOverTls(t: TestContext, auth: 'yes' | 'no') {
  const { cert, key } = await makeCertificate(t);
  const port = await freePort();
  const store = await startRedis({
    // prettier-ignore
    args: ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key,
      '--tls-ca-cert-file', cert, '--tls-auth-clients', auth,
      '--user', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all'],
  });
  return { cert, key, port, store };
}

describe('one Redis over TLS', () => {
  it('serves clients that trust its certificate and have the password, and no others', async (t) => {
    const { cert, key, port, store } = await startOverTls(t, 'yes');
    const env = {
      REDIS_URL: `rediss://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
      REDIS_TLS_CA: cert,
      REDIS_TLS_CERT: cert,
      REDIS_TLS_KEY: key,
    };
    const processes = await startProcesses(t, { replicas: 1, workers: 1, env, store });
    const [replica] = processes.replicas;
    await becomesReady(replica!);
    assert.equal((await attempt(replica!.url + placePath(1))).status, 200);
    await workerFetches(processes);

    const untrusting = await processes.addReplica({ REDIS_TLS_CA: '' });
    const { reason, message } = await untrusting.waitFor('redis_unavailable');
    assert.equal(reason, 'no_connection');
    assert.match(String(message), /certificate/);
    assert.equal(await readiness(untrusting), 503);
  });

  it('replies to the command of the runbook, which has the variables of a pod', async (t) => {
    const { cert, port, store } = await startOverTls(t, 'no');
    t.after(() => store.stop());
    const runbook = readFileSync('docs/operations/runbook.md', 'utf8');
    const [, script = ''] = /deployment\/weather-api -- node -e "\n([^"]*)"/.exec(runbook) ?? [];
    for (const password of [
      { REDIS_URL: `rediss://${USER}@127.0.0.1:${port}`, REDIS_PASSWORD: PASSWORD },
      { REDIS_URL: `rediss://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}` },
    ]) {
      const env = { ...process.env, ...password, REDIS_TLS_CA: cert };
      const { stdout } = await promisify(execFile)('node', ['-e', script], {
        env,
        timeout: 20_000,
      });
      assert.equal(stdout, '[]\n');
    }
  });
});

describe('a port without TLS', () => {
  for (const [topology, envAt] of [
    ['a single server', (port) => ({ REDIS_URL: `rediss://u:secret@127.0.0.1:${port}` })],
    [
      'sentinels',
      (port) => ({
        REDIS_URL: 'rediss://u:secret@sentinels',
        REDIS_SENTINELS: `127.0.0.1:${port}`,
        REDIS_SENTINEL_MASTER: 'weather',
        REDIS_SENTINEL_PASSWORD: 'secret',
      }),
    ],
    [
      'a cluster',
      (port) => ({
        REDIS_URL: 'rediss://u:secret@cluster',
        REDIS_CLUSTER_NODES: `127.0.0.1:${port}`,
      }),
    ],
  ] satisfies [string, (port: number) => Record<string, string>][]) {
    it(`of ${topology} receives nothing unencrypted`, async (t) => {
      const received: Buffer[] = [];
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (chunk) => {
          received.push(chunk);
          socket.destroy();
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => {
        server.close();
      });
      const { redis } = loadConfig(envAt((server.address() as AddressInfo).port));
      for (const purpose of ['requests', 'worker', 'subscriber'] as const) {
        const client = connect(redis!, purpose).on('error', () => undefined);
        t.after(() => {
          client.disconnect();
        });
      }
      await eventually(() => received.length >= 6, 'connections');
      for (const bytes of received) assert.equal(bytes[0], HANDSHAKE);
    });
  }
});
