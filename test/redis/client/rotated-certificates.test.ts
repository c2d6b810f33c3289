import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { loadConfig } from '../../../src/config/config.js';
import { connect } from '../../../src/redis/client/connection.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { freePort, startRedis } from '../../support/redis-server.js';

describe('the files for TLS', () => {
  it('are read by each new connection, also of a client that is duplicated', async (t) => {
    const [files, renewed] = [await makeCertificate(t), await makeCertificate(t)];
    const { cert, key } = files;
    const port = await freePort();
    const redis = await startRedis({
      // prettier-ignore
      args: ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key,
        '--tls-ca-cert-file', cert, '--tls-auth-clients', 'yes'],
    });
    t.after(() => redis.stop());
    const { redis: address } = loadConfig({
      REDIS_URL: `rediss://127.0.0.1:${port}`,
      ...{ REDIS_TLS_CA: cert, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key },
    });
    const clients = (['requests', 'worker', 'subscriber'] as const).map((use) =>
      connect(address!, use),
    );
    clients.push((clients[1] as Redis).duplicate());
    const connections = clients.map((client) => {
      t.after(() => {
        client.disconnect();
      });
      let count = 0;
      client.on('error', () => undefined).on('ready', () => (count += 1));
      return () => count;
    });
    await eventually(() => connections.every((count) => count() === 1), 'connections');
    copyFileSync(renewed.cert, cert);
    copyFileSync(renewed.key, key);
    await redis.restart();
    await eventually(() => connections.every((count) => count() === 2), 'new connections', 20_000);
    assert.deepEqual(await (clients[0] as Redis).ping(), 'PONG');
  });
});
