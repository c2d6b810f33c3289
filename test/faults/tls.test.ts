import { describe, it } from 'node:test';
import { freePort, startRedis } from '../support/redis-server.js';
import { asArguments, tlsSettings } from '../support/redis-tls.js';
import { assertNothingUnencrypted, assertCertificateRequired } from './tls-stores.js';

const USER = 'weather';
const PASSWORD = 'p@ss:word/?#';

describe('one Redis over TLS', { concurrency: true }, () => {
  it('serves clients that trust its certificate and have the password, and no others', async (t) => {
    await assertCertificateRequired(t, async (certificate) => {
      const port = await freePort();
      const redis = await startRedis({
        // prettier-ignore
        args: [...asArguments(tlsSettings(certificate, port)),
          '--user', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all'],
      });
      const url = `rediss://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
      return { env: { REDIS_URL: url }, stop: () => redis.stop() };
    });
  });

  it('receives nothing unencrypted', async (t) => {
    await assertNothingUnencrypted(t, (port) => ({
      REDIS_URL: `rediss://u:secret@127.0.0.1:${port}`,
    }));
  });
});
