import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { attempt } from '../support/load.js';
import { providersAt, startReplica } from '../support/service.js';
import { startStubProvider } from '../support/stub-provider.js';

const OPEN_FILES = 128;
const LIVE = '/api/v1/health/live';

/** Clients that send one request after the other over a connection each, and reconnect when it closes. */
function keepConnections(t: Lifetime, url: string, clients: number): { readonly dropped: number } {
  const { hostname, port } = new URL(url);
  const seen = { dropped: 0 };
  let hasEnded = false;
  const client = async () => {
    while (!hasEnded) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      let responses = 0;
      const send = () => socket.write(`GET ${LIVE} HTTP/1.1\r\nHost: x\r\n\r\n`);
      socket.on('data', () => {
        responses += 1;
        setTimeout(send, 200);
      });
      send();
      await once(socket, 'close').catch(() => undefined);
      if (responses === 0) seen.dropped += 1;
      await sleep(200);
    }
  };
  for (let n = 0; n < clients; n += 1) void client();
  t.after(() => (hasEnded = true));
  return seen;
}

describe('a replica with fewer descriptors than clients', () => {
  it('drops connections, and still serves requests', async (t) => {
    const upstream = await startStubProvider();
    t.after(() => upstream.close());
    const limited = ['sh', '-c', `ulimit -n ${OPEN_FILES} && exec "$0" "$@"`];
    const service = await startReplica(providersAt(upstream.url), { prefix: limited });
    t.after(() => service.stop());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => {
      agent.destroy();
    });
    const ask = (path: string) => attempt(service.url + path, { agent });
    assert.equal((await ask(LIVE)).status, 200);

    const seen = keepConnections(t, service.url, 300);
    await eventually(() => seen.dropped > 100, 'dropped connections');
    assert.equal((await ask(LIVE)).status, 200);
    // A fetch needs a descriptor, too.
    assert.equal((await ask(weatherOf('Oslo', 'Norway'))).status, 200);
    assert.deepEqual(service.of('upstream_failed'), []);
  });
});
