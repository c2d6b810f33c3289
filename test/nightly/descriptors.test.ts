import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { placePath } from '../support/places.js';
import { startProgram } from '../support/processes.js';
import { freePort } from '../support/redis-server.js';
import { BASE, providersAt } from '../support/service.js';
import { PATHS, startStubProvider } from '../support/stub-provider.js';

const DESCRIPTORS = 256;
const LIVE = '/api/v1/health/live';
/** Each request has a new connection: one that is reused may have given way in the same moment. */
const agent = new Agent({ keepAlive: false });
const REQUEST = `GET ${LIVE} HTTP/1.1\r\nHost: x\r\n`;

it('more waiting connections than file descriptors do not exclude other clients', async (t) => {
  const stub = await startStubProvider();
  t.after(() => stub.close());
  stub.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 5000 });
  const metricsPort = await freePort();
  const service = startProgram(
    ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`, process.execPath, 'dist/server.js'],
    { ...BASE, ...providersAt(stub.url), METRICS_PORT: String(metricsPort) },
  );
  t.after(() => service.stop());
  const url = String((await service.waitFor('server_started'))['address']);
  const port = Number(new URL(url).port);
  const inFlight = ask(url + placePath(1));
  await eventually(() => stub.count(PATHS.openMeteo) === 1, 'the request in flight');

  const open = async (to: number, text: string) => {
    const socket = connect(to, '127.0.0.1').on('error', () => undefined);
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  for (let count = 0; count < DESCRIPTORS; count += 1) {
    await once(await open(port, `${REQUEST}\r\n`), 'data');
  }
  for (const text of ['', REQUEST]) {
    for (let count = 0; count < DESCRIPTORS; count += 1) await open(port, text);
    for (let count = 0; count < DESCRIPTORS / 8; count += 1) await open(metricsPort, text);
    assert.equal((await ask(url + LIVE, { agent })).status, 200);
    const health = await ask(`http://127.0.0.1:${metricsPort}/healthz`, { agent });
    assert.equal(health.status, 200);
  }
  assert.equal((await inFlight).status, 200);
  assert.deepEqual(service.noise, []);
});
