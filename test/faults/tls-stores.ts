import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import { makeCertificate, type Certificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startProcesses } from '../support/stack.js';

/** A store with TLS, and the variables that lead to it. */
export interface TlsStore {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** The first byte of a TLS handshake. */
const HANDSHAKE = 0x16;

/** Asserts that replicas use the store if they trust its certificate, and log the reason if they do not. */
export async function assertCertificateRequired(
  t: TestContext,
  start: (certificate: Certificate) => Promise<TlsStore>,
  { message = /certificate/, subject }: { message?: RegExp; subject?: string } = {},
): Promise<void> {
  const certificate = await makeCertificate(t, subject);
  const store = await start(certificate);
  const env = {
    ...store.env,
    REDIS_TLS_CA: certificate.cert,
    REDIS_TLS_CERT: certificate.cert,
    REDIS_TLS_KEY: certificate.key,
  };
  const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store });
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  const outcomes: unknown[] = [];
  for (const { url } of processes.replicas) {
    outcomes.push((await attempt(url + placePath(1))).headers['x-cache']);
  }
  assert.deepEqual(outcomes, ['MISS', 'HIT']);
  await workerFetches(processes);

  const untrusting = await processes.addReplica({ REDIS_TLS_CA: '' });
  await eventually(
    () =>
      untrusting
        .of('redis_unavailable')
        .some(
          (record) =>
            record['reason'] === 'no_connection' && message.test(String(record['message'])),
        ),
    'a record of the reason',
  );
  for (let check = 0; check < 10; check += 1) {
    assert.equal(await readiness(untrusting), 503);
    await sleep(100);
  }
}

/** Asserts that a replica and a worker send nothing unencrypted to a port. */
export async function assertNothingUnencrypted(
  t: TestContext,
  envAt: (port: number) => Record<string, string>,
): Promise<void> {
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
  const { port } = server.address() as AddressInfo;
  await startProcesses(t, { replicas: 1, workers: 1, env: envAt(port) });
  // All connections of both processes.
  await eventually(() => received.length >= 12, 'connections');
  for (const bytes of received) {
    assert.equal(bytes[0], HANDSHAKE);
    assert.ok(!bytes.includes('secret'));
  }
}
