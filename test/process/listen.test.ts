import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startRedis } from '../support/redis-server.js';
import { launch, type Service } from '../support/service.js';

/** Asserts that the process exits with one ERROR, whose hint names the variable. @returns its address and code */
async function failureOf(service: Service, variable: string) {
  assert.equal(await service.exited, 1);
  assert.deepEqual(service.noise, []);
  const [record, ...others] = service.records.filter(({ level }) => level === 'ERROR');
  assert.deepEqual([record?.event, others], ['listen_failed', []]);
  assert.match(String(record?.['hint']), new RegExp(`\\b${variable}\\b`));
  return { address: record?.['address'], code: record?.['code'] };
}

describe('a port on which the process cannot listen', () => {
  const other = createServer();
  let port: string;
  let address: string;

  before(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    port = String((other.address() as AddressInfo).port);
    address = `127.0.0.1:${port}`;
  });
  after(() => other.close());

  it('is logged with PORT if another process uses it', async () => {
    const service = launch('server.js', { PORT: port });
    assert.deepEqual(await failureOf(service, 'PORT'), { address, code: 'EADDRINUSE' });
  });

  it('is logged with METRICS_PORT if it is the port of the metrics', async () => {
    const service = launch('server.js', { METRICS_PORT: port });
    assert.deepEqual(await failureOf(service, 'METRICS_PORT'), { address, code: 'EADDRINUSE' });
  });

  it('ends a worker, too', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const service = launch('worker.js', { REDIS_URL: redis.url, METRICS_PORT: port });
    assert.deepEqual(await failureOf(service, 'METRICS_PORT'), { address, code: 'EADDRINUSE' });
  });

  it('is logged with HOST if this machine does not have the address', async () => {
    // An address for documentation (RFC 5737), which no machine has.
    const service = launch('server.js', { HOST: '192.0.2.1' });
    const logged = await failureOf(service, 'HOST');
    assert.deepEqual(logged, { address: '192.0.2.1:0', code: 'EADDRNOTAVAIL' });
  });
});
