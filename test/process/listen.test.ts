import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startRedis } from '../support/redis-server.js';
import { launch, type Service } from '../support/service.js';

/** The process ends with this one record at ERROR, whose hint names the variable to change. */
async function refusal(service: Service, variable: string) {
  assert.equal(await service.exited, 1);
  assert.deepEqual(service.noise, []);
  const [record, ...others] = service.records.filter(({ level }) => level === 'ERROR');
  assert.deepEqual([record?.event, others], ['listen_failed', []]);
  assert.match(String(record?.['hint']), new RegExp(`\\b${variable}\\b`));
  return { address: record?.['address'], code: record?.['code'] };
}

describe('a port that cannot be listened on', () => {
  const other = createServer();
  let port: string;
  let address: string;

  before(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    port = String((other.address() as AddressInfo).port);
    address = `127.0.0.1:${port}`;
  });
  after(() => other.close());

  it('is told with PORT when another process uses it', async () => {
    const service = launch('server.js', { PORT: port });
    assert.deepEqual(await refusal(service, 'PORT'), { address, code: 'EADDRINUSE' });
  });

  it('is told with METRICS_PORT when it is the one for metrics', async () => {
    const service = launch('server.js', { METRICS_PORT: port });
    assert.deepEqual(await refusal(service, 'METRICS_PORT'), { address, code: 'EADDRINUSE' });
  });

  it('ends a worker too', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const service = launch('worker.js', { REDIS_URL: redis.url, METRICS_PORT: port });
    assert.deepEqual(await refusal(service, 'METRICS_PORT'), { address, code: 'EADDRINUSE' });
  });

  it('is told with HOST when the address is not one of this machine', async () => {
    // An address of documentation (RFC 5737), which no machine has.
    const service = launch('server.js', { HOST: '192.0.2.1' });
    const told = await refusal(service, 'HOST');
    assert.deepEqual(told, { address: '192.0.2.1:0', code: 'EADDRNOTAVAIL' });
  });
});
