import { describe, it } from 'node:test';
import { assertNothingUnencrypted, assertCertificateRequired } from '../faults/tls-stores.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startSentinelSet } from '../support/redis-sentinel.js';

const PASSWORD = 'p@ss:word/?#';
const SENTINEL_PASSWORD = 'another-word';
/** The clients of sentinels and clusters do not report why a connection was closed. */
const MESSAGE = /./;

describe('a master and its sentinels over TLS', () => {
  it('accept only clients that trust their certificate and have both passwords', async (t) => {
    await assertCertificateRequired(
      t,
      async (certificate) => {
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
      { message: MESSAGE },
    );
  });

  it('receive no unencrypted bytes', async (t) => {
    await assertNothingUnencrypted(t, (port) => ({
      REDIS_URL: 'rediss://u:secret@sentinels',
      REDIS_SENTINELS: `127.0.0.1:${port}`,
      REDIS_SENTINEL_MASTER: 'weather',
      REDIS_SENTINEL_PASSWORD: 'secret',
    }));
  });
});

describe('a cluster over TLS', () => {
  it('accepts only clients that trust its certificate', async (t) => {
    await assertCertificateRequired(
      t,
      async (certificate) => {
        const cluster = await startRedisCluster({ certificate });
        const env = { REDIS_URL: 'rediss://cluster', REDIS_CLUSTER_NODES: cluster.addresses };
        return { env, stop: () => cluster.stop() };
      },
      // The nodes announce the name of the certificate.
      { message: MESSAGE, subject: 'DNS:localhost' },
    );
  });

  it('receives no unencrypted bytes', async (t) => {
    await assertNothingUnencrypted(t, (port) => ({
      REDIS_URL: 'rediss://u:secret@cluster',
      REDIS_CLUSTER_NODES: `127.0.0.1:${port}`,
    }));
  });
});
