import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/http-client.js';
import { residentBytes } from '../support/processes.js';
import { closed } from '../support/raw-request.js';
import { freePort } from '../support/redis-server.js';
import { startReplica } from '../support/service.js';

const MANIFEST = readFileSync(new URL('../../k8s/base/api.yaml', import.meta.url), 'utf8');
/** The heap sizes and the memory limit of a replica in the manifests. */
const HEAP_FLAGS = [...MANIFEST.matchAll(/--max-[\w-]+=\d+/g)].join(' ');
const MEMORY_LIMIT = Number(/limits:\s+memory: (\d+)Mi/.exec(MANIFEST)?.[1]) * 2 ** 20;

const CLIENTS = 8;
/** Bytes that each client sends. Without a bound, half of them fill the heap. */
const BYTES_EACH = 1_250_000;
/** Bytes of one write. */
const CHUNK = 64 * 1024;
/** Milliseconds after which a client stops, because the server does not read. */
const FLOOD_LIMIT_MS = 10_000;

const WEATHER = '/api/v1/weather?city=Oslo&country=Norway';
const LIVE = '/api/v1/health/live';

/** Sends requests without waiting for responses. Connects again after each disconnection. */
async function flood(port: number, target: string, reads: boolean): Promise<void> {
  const end = AbortSignal.timeout(FLOOD_LIMIT_MS);
  const goesOn = () => sent < BYTES_EACH && !end.aborted;
  let sent = 0;
  const text = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const chunk = text.repeat(CHUNK / text.length);
  while (goesOn()) {
    const socket = connect(port, '127.0.0.1');
    const disconnected = closed(socket);
    if (reads) socket.resume();
    await Promise.race([once(socket, 'connect'), disconnected]);
    while (socket.writable && goesOn()) {
      sent += chunk.length;
      if (socket.write(chunk)) continue;
      await once(socket, 'drain', { signal: end }).catch(() => undefined);
    }
    // The server parses what it has received.
    if (goesOn()) await sleep(500);
    socket.destroy();
    await disconnected;
  }
}

const CASES = [
  { name: 'cache hits', target: WEATHER, reads: false },
  { name: 'cache hits whose responses are read', target: WEATHER, reads: true },
  { name: 'scrapes of the metrics', target: '/metrics', reads: false },
];

describe('a flood of pipelined requests', () => {
  for (const { name, target, reads } of CASES) {
    it(`of ${name} does not fill the memory`, async (t) => {
      const metricsPort = await freePort();
      const service = await startReplica({
        NODE_OPTIONS: HEAP_FLAGS,
        WEATHER_PROVIDERS: 'demo',
        METRICS_PORT: String(metricsPort),
        TRUST_PROXY: '1',
      });
      t.after(() => service.stop());
      await ask(service.url + WEATHER);
      const port = target === '/metrics' ? metricsPort : Number(new URL(service.url).port);
      const over = new AbortController();
      const floods = Array.from({ length: CLIENTS }, () => flood(port, target, reads));
      const ended = Promise.all(floods).finally(() => {
        over.abort();
      });
      while (!over.signal.aborted) {
        assert.equal((await ask(service.url + LIVE)).status, 200);
        assert.equal((await ask(`http://127.0.0.1:${metricsPort}/healthz`)).status, 200);
        await sleep(100);
      }
      await ended;
      assert.equal((await ask(service.url + LIVE)).status, 200);
      assert.equal(service.child.exitCode, null);
      const { highest } = residentBytes(service.pid);
      t.diagnostic(`${Math.round(highest / 2 ** 20)} MiB`);
      assert.ok(highest < MEMORY_LIMIT, `${highest} bytes`);
    });
  }
});
