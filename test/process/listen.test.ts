import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { launch, startReplica } from '../support/service.js';

describe('a port on which the process cannot listen', () => {
  const other = createServer();
  let port: string;

  before(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    port = String((other.address() as AddressInfo).port);
  });
  after(() => other.close());

  // 192.0.2.1 is for documentation (RFC 5737), so no machine has this address.
  for (const [variables, env, address, code] of [
    ['HOST and PORT', () => ({ PORT: port }), () => `127.0.0.1:${port}`, 'EADDRINUSE'],
    [
      'HOST and METRICS_PORT',
      () => ({ METRICS_PORT: port }),
      () => `127.0.0.1:${port}`,
      'EADDRINUSE',
    ],
    ['HOST and PORT', () => ({ HOST: '192.0.2.1' }), () => '192.0.2.1:0', 'EADDRNOTAVAIL'],
  ] as const) {
    it(`is logged with ${variables} (${code}), and the process exits with code 1`, async () => {
      const service = launch('server.js', env());
      assert.equal(await service.exited, 1);
      assert.deepEqual(service.noise, []);
      const [record, ...others] = service.records.filter(({ level }) => level === 'ERROR');
      assert.deepEqual([record?.event, others], ['listen_failed', []]);
      assert.ok(String(record?.['hint']).startsWith(`check ${variables}: `));
      assert.deepEqual([record?.['address'], record?.['code']], [address(), code]);
    });
  }
});

describe('a process that gets no CPU time', () => {
  it('loses no connection, although as many wait as one client may open behind nginx', async (t) => {
    const service = await startReplica({ WEATHER_PROVIDERS: 'demo' });
    service.kill('SIGSTOP');
    const port = Number(new URL(service.url).port);
    // The kernel opens each connection. It would ignore those for which it has no space.
    const sockets = Array.from({ length: 1000 }, () => connect(port, '127.0.0.1'));
    t.after(() => {
      for (const socket of sockets) socket.on('error', () => undefined).destroy();
      return service.stop();
    });
    const signal = AbortSignal.timeout(30_000);
    await Promise.all(sockets.map((socket) => once(socket, 'connect', { signal })));
  });
});
