import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';
import { attempt } from '../support/load.js';
import { startNginx } from '../support/nginx.js';
import { startProcesses } from '../support/stack.js';
import { readCompose, ROOT } from './compose-file.js';

const NGINX_CONF = readFileSync(join(ROOT, 'k8s/nginx/nginx.conf'), 'utf8');

/** Of nginx.conf: its processes, and the connections of each. */
const MAX_CONNECTIONS = ['worker_processes', 'worker_connections']
  .map((name) => new RegExp(`${name} (\\d+);`).exec(NGINX_CONF)?.[1])
  .reduce((product, value) => product * Number(value), 1);
/** Nearly the 14 KiB that nginx accepts. */
const LONG = 13_000;
const LAKE = '湖'.repeat(96);
const HORSE = '𩥄'.repeat(96);
const PLACES = '/api/v1/places?q=';

/** Requests that each try to make a response header, or the cache key, as long as possible. */
const REQUESTS: Record<string, { target: string; headers?: Record<string, string> }> = {
  'a long query of a public path': { target: PLACES + 'a'.repeat(LONG) },
  'a long query of a private path': {
    target: `/api/v1/weather?city=${'a'.repeat(LONG)}&country=US`,
  },
  'a name of four bytes per character': {
    target: `/api/v1/forecast?city=${encodeURIComponent(HORSE)}&country=${encodeURIComponent('日本')}`,
  },
  'a name that has similar names, and more parameters': {
    target: `/api/v1/forecast?city=Berlim&country=Germany&days=3&x=${encodeURIComponent(LAKE)}`,
  },
  'a long X-Forwarded-Proto': {
    target: `${PLACES}Rome`,
    headers: { 'X-Forwarded-Proto': 'https,'.repeat(LONG / 6) },
  },
  'a long Origin': {
    target: `${PLACES}Bern`,
    headers: { Origin: `https://${'a'.repeat(900)}.example` },
  },
  'a long X-Request-ID': { target: `${PLACES}Wien`, headers: { 'X-Request-ID': 'i'.repeat(LONG) } },
  'a long Host': {
    target: `/api/v1/weather?city=Berlim&country=DE`,
    headers: { Host: 'h'.repeat(LONG) },
  },
  'a redirect with a long query': { target: `/apidocs?${'a'.repeat(LONG)}` },
};

describe('a response of the service to a request that is as large as nginx admits', () => {
  const lifetime = suiteLifetime();
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  before(async () => {
    const env = { CORS_ORIGINS: '*', TRUST_PROXY: '3', RATE_LIMIT_PER_IP: '5' };
    const { replicas } = await startProcesses(lifetime, { replicas: 2, workers: 0, env });
    const urls = replicas.map(({ url }) => url);
    nginx = await startNginx(lifetime, { replicas: urls, corsOrigins: '*' });
  });

  for (const [name, { target, headers = {} }] of Object.entries(REQUESTS)) {
    it(`reaches the client, and no replica counts as failed: ${name}`, async () => {
      const id = name.replaceAll(/\W/g, '-');
      const own = headers['X-Request-ID'] === undefined ? { 'X-Request-ID': id } : {};
      for (const method of ['GET', 'GET', 'HEAD', 'POST']) {
        const reply = await attempt(nginx.url + target, {
          method,
          headers: { ...own, ...headers },
        });
        assert.ok(
          reply.status >= 200 && reply.status < 500,
          `${method}: ${reply.status} ${reply.text}`,
        );
      }
      const upstreams = (await nginx.records()).map(({ upstream }) => String(upstream));
      assert.deepEqual(
        upstreams.filter((upstream) => /,|weather_api/.test(upstream)),
        [],
      );
    });
  }
});

describe('a response with 13 kB of headers', () => {
  it('fits into the buffers of nginx, beside the longest cache key', async (t) => {
    const big = 'b'.repeat(LONG);
    const replica = await listenLocally(t, (_, response) =>
      response
        .writeHead(200, { Link: big, 'Cache-Control': 'public', 'X-Accel-Expires': '60' })
        .end('ok'),
    );
    const nginx = await startNginx(t, { replicas: [replica] });
    for (const outcome of ['MISS', 'HIT']) {
      const reply = await attempt(`${nginx.url}/api/v1/places?q=${'a'.repeat(14_000)}`);
      assert.equal(reply.status, 200);
      assert.deepEqual([reply.headers['link'], reply.headers['x-cache-proxy']], [big, outcome]);
    }
  });
});

describe('a request with large headers', () => {
  it('has a response in JSON, whatever their size: Node.js never finds them too large', async (t) => {
    const { replicas } = await startProcesses(t, { replicas: 1, workers: 0 });
    const { url } = await startNginx(t, { replicas: replicas.map((replica) => replica.url) });
    const outcomes = new Set<string>();
    for (let length = 13_000; length < 18_000; length += 50) {
      const { status, json } = await attempt(`${url}/api/v1/health`, {
        // The longest ID, which nginx passes on. The last header fills nginx's first buffer.
        headers: {
          'X-Request-ID': 'i'.repeat(64),
          a: 'a'.repeat(700),
          b: 'b'.repeat(length - 700),
        },
      });
      outcomes.add(`${status} ${Object.keys(json ?? {}).join()}`);
    }
    assert.deepEqual([...outcomes], ['200 status,service,version', '431 error,message']);
  });
});

describe('connections whose requests never end', () => {
  const COUNT = 3000;
  const POST = `POST / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(LONG)}\r\n`;
  /** Requests without their ends: headers of about 13 kB, and bodies after such headers. */
  const BEGINNINGS = {
    'one long header': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(LONG)}`,
    'many headers': `GET / HTTP/1.1\r\nHost: a\r\n${`Y: ${'y'.repeat(130)}\r\n`.repeat(95)}`,
    'a long request line': `GET /${'x'.repeat(LONG)}`,
    'a body': `${POST}Content-Length: 16384\r\n\r\n${'x'.repeat(16_000)}`,
    'a body in pieces': `${POST}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2500)}`,
  };

  it('take a bounded part of the memory of the container, and other requests are served', async (t) => {
    const replica = await listenLocally(t, (_, response) => response.end('ok'));
    const nginx = await startNginx(t, { replicas: [replica], requestsPerAddress: 10_000 });
    const { mem_limit: limit = '' } = readCompose().services['nginx']!;
    const sockets: Socket[] = [];
    t.after(() => {
      sockets.forEach((socket) => socket.destroy());
    });
    const texts = Object.values(BEGINNINGS);
    for (let n = 0; n < COUNT; n++) {
      const socket = connect({ port: Number(new URL(nginx.url).port), host: '127.0.0.1' });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(texts[n % texts.length]!);
      sockets.push(socket);
    }
    // nginx has read all of them when it reads a later one.
    await eventually(async () => (await attempt(nginx.url)).status === 200, 'a response');
    const bytes = memoryOf(nginx.pid);
    assert.ok(bytes / COUNT < 45_000, `${bytes} bytes`);
    // The container also has up to 64 MB of cached responses.
    const all = (bytes / COUNT) * MAX_CONNECTIONS;
    assert.ok(all < (Number.parseInt(limit, 10) - 64) * 1024 * 1024, `${all} bytes`);
  });

  it('are closed with a 431 as soon as they are too large', async (t) => {
    const replica = await listenLocally(t, (_, response) => response.end('ok'));
    const { url } = await startNginx(t, { replicas: [replica] });
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, '1']));
    const large = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`x-${n}`, 'a'.repeat(3000)]),
    );
    for (const headers of [many, large]) {
      const reply = await attempt(url, { headers });
      assert.equal(reply.status, 431);
      assert.equal((reply.json as { error: string }).error, 'Request header fields too large');
    }
    const pieces = { a: 'a'.repeat(7000), b: 'b'.repeat(7000), c: 'c'.repeat(3000) };
    assert.equal((await attempt(url, { headers: pieces })).status, 431);
    const almost = { a: 'a'.repeat(4600), b: 'b'.repeat(4600), c: 'c'.repeat(4600) };
    assert.equal((await attempt(url, { headers: almost })).status, 200);
  });
});

describe('a client that does not read a large response', () => {
  it('fills no memory: the replica waits for the client', async (t) => {
    const MEGABYTES = 200;
    let written = 0;
    const replica = await listenLocally(t, (request, response) => {
      if (request.url !== '/large') {
        response.end('ok');
        return;
      }
      const megabyte = Buffer.alloc(1024 * 1024);
      const fill = () => {
        while (written < MEGABYTES) {
          written += 1;
          if (!response.write(megabyte)) return;
        }
        response.end();
      };
      response.on('drain', fill);
      fill();
    });
    const nginx = await startNginx(t, { replicas: [replica] });
    const socket = connect(Number(new URL(nginx.url).port), '127.0.0.1').pause();
    t.after(() => socket.destroy());
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    let before = -1;
    await eventually(async () => {
      const isStill = written > 0 && written === before;
      before = written;
      await sleep(500);
      return isStill;
    }, 'a replica that waits');
    // Some megabytes are in the buffers of the connections.
    assert.ok(written < MEGABYTES / 2, `${written} MB`);
  });
});

/** The memory of a process and its children, in bytes: what they share counts once. */
function memoryOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const kilobytes = [pid, ...children].map((each) =>
    Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1]),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}
