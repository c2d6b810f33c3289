import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workerFetches } from '../support/agreed-fetches.js';
import { attempt } from '../support/load.js';
import { ensureCommand } from '../support/packages.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';

const USER = 'weather';
const PASSWORD = 'p@ss:word/?#';

/** A certificate of its own for 127.0.0.1; tells the files. */
async function certificate(t: TestContext): Promise<{ key: string; cert: string }> {
  ensureCommand('openssl', 'openssl');
  const folder = await mkdtemp(join(tmpdir(), 'weather-tls-'));
  t.after(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  // prettier-ignore
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2',
    '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1',
    '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}

describe('Redis over TLS with user and password', () => {
  it('serves replica and worker, which refuse a certificate that no authority signed', async (t) => {
    const { key, cert } = await certificate(t);
    const tlsPort = await freePort();
    const redis = await startRedis({
      // prettier-ignore
      args: ['--tls-port', String(tlsPort), '--tls-cert-file', cert, '--tls-key-file', key,
        '--tls-auth-clients', 'no', '--user', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all'],
    });
    const address = `${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${tlsPort}`;
    const env = { REDIS_URL: `rediss://${address}`, NODE_EXTRA_CA_CERTS: cert };
    const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store: redis });
    await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
    const outcomes: unknown[] = [];
    for (const { url } of processes.replicas) {
      outcomes.push((await attempt(url + placePath(1))).headers['x-cache']);
    }
    assert.deepEqual(outcomes, ['MISS', 'HIT']);
    await workerFetches(processes);

    const distrustful = await processes.addReplica({ NODE_EXTRA_CA_CERTS: '' });
    const until = Date.now() + 2000;
    while (Date.now() < until) assert.equal(await readiness(distrustful), 503);
  });
});
