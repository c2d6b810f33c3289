import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { before, describe, it, type TestContext } from 'node:test';
import { watchOver } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';
import { attempt, type Reply } from '../support/load.js';
import { startNginx, type Nginx } from '../support/nginx.js';
import { raw } from '../support/raw-request.js';

const ORIGIN = 'https://app.example';
const CORS = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-max-age': '3600',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, X-Request-ID, X-Cache, Age, ETag, X-Weather-Provider, X-Weather-Attribution, X-Weather-Code, X-Weather-Is-Day',
};
const WEATHER = '/api/v1/weather';

/** The CORS headers of a reply. A header that was sent twice has both values. */
function corsOf({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}

/** Makes connections to a port time out, as if its machine did not exist: fills the accept queue of a socket. */
async function makeUnreachable(t: TestContext, url: string): Promise<void> {
  const program = `
import socket, time
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", ${new URL(url).port}))
server.listen(0)
waiting = [socket.socket() for _ in range(4)]
for each in waiting:
    each.setblocking(False)
    each.connect_ex(server.getsockname())
print("full", flush=True)
time.sleep(600)
`;
  const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  watchOver(child);
  t.after(() => child.kill());
  await once(child.stdout, 'data');
}

/** A replica that closes every connection while it is not healthy. */
async function startReplica(t: TestContext, healthy: boolean) {
  const server = createHttpServer((request, response) => {
    if (replica.healthy) response.end('ok');
    else request.socket.destroy();
  });
  const replica = {
    url: await listenLocally(t, server),
    healthy,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return replica;
}

describe('a request while all replicas count as failed', () => {
  it('is sent to a replica that has recovered, after another was unreachable; POST as well', async (t) => {
    const first = await startReplica(t, false);
    const second = await startReplica(t, true);
    const nginx = await startNginx({ replicas: [first.url, second.url] });
    t.after(() => nginx.stop());
    await eventually(async () => {
      await attempt(nginx.url);
      return (await nginx.records()).some(({ upstream }) => String(upstream).includes(', '));
    }, 'a request that was sent to both replicas');
    second.close();
    await makeUnreachable(t, second.url);
    first.healthy = true;
    assert.equal((await attempt(nginx.url, { method: 'POST' })).status, 200);
    const last = (await nginx.records()).at(-1);
    assert.match(String(last?.['upstream_status']), /^504, 502 : /);
  });
});

describe('a request while every replica refuses connections', () => {
  it('gets a 502 in the format of all errors, also when all count as failed', async (t) => {
    const replicas = [await startReplica(t, false), await startReplica(t, false)];
    for (const replica of replicas) replica.close();
    const nginx = await startNginx({
      replicas: replicas.map(({ url }) => url),
      corsOrigins: ORIGIN,
    });
    t.after(() => nginx.stop());
    // For all requests but the first, all replicas count as failed.
    for (const id of ['first', 'second', 'third', 'fourth']) {
      const headers = { Origin: ORIGIN, 'X-Request-ID': id };
      const reply = await attempt(nginx.url + WEATHER, { headers });
      assert.deepEqual([reply.status, corsOf(reply)], [502, CORS], id);
      assert.equal((reply.json as { error: string }).error, 'Bad gateway');
      assert.equal(reply.headers['x-request-id'], id);
      assert.equal(reply.headers['retry-after'], '5');
    }
    const upstreams = (await nginx.records()).map(({ upstream }) => String(upstream));
    assert.ok(
      upstreams.some((upstream) => upstream.startsWith('weather_api')),
      upstreams.join('; '),
    );
  });
});

describe('a request whose connection a replica closes', () => {
  it('is answered by another replica; POST as well', async (t) => {
    const replicas = [await startReplica(t, false), await startReplica(t, true)];
    const nginx = await startNginx({ replicas: replicas.map(({ url }) => url) });
    t.after(() => nginx.stop());
    for (const method of ['GET', 'POST', 'DELETE']) {
      // A failed replica gets no requests for five seconds.
      await eventually(async () => {
        assert.equal((await attempt(nginx.url, { method })).status, 200, method);
        return (await nginx.records()).some(
          (record) => record['method'] === method && String(record['upstream']).includes(', '),
        );
      }, `a ${method} that was sent to two replicas`);
    }
  });

  it('is sent to at most two replicas', async (t) => {
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(t, false)));
    const nginx = await startNginx({ replicas: replicas.map(({ url }) => url) });
    t.after(() => nginx.stop());
    // The start of nginx has sent a request too. A failed replica gets no requests for five seconds.
    await eventually(async () => {
      assert.equal((await attempt(nginx.url, { method: 'POST' })).status, 502);
      const tried = (await nginx.records()).map(
        (each) => String(each['upstream']).split(', ').length,
      );
      assert.ok(Math.max(...tried) <= 2, String(tried));
      return tried.includes(2);
    }, 'a request that was sent to two replicas');
  });
});

describe('a request that nginx passes on', () => {
  it('has the address and the scheme that nginx sees, behind those that the client sent', async (t) => {
    const server = createHttpServer((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', ORIGIN);
      response.end(JSON.stringify(request.headers));
    });
    const replica = await listenLocally(t, server);
    const nginx = await startNginx({ replicas: [replica], corsOrigins: ORIGIN });
    t.after(() => nginx.stop());
    const reply = await attempt(nginx.url, {
      agent: new Agent({ localAddress: '127.0.0.2' }),
      headers: {
        Origin: ORIGIN,
        'X-Forwarded-For': '198.51.100.1',
        'X-Forwarded-Proto': 'https',
        'X-Request-ID': 'not valid',
      },
    });
    const received = reply.json as Record<string, string>;
    assert.equal(received['x-forwarded-for'], '198.51.100.1, 127.0.0.2');
    assert.equal(received['x-forwarded-proto'], 'https, http');
    assert.match(received['x-request-id'] ?? '', /^[\da-f]{32}$/);
    // The header of the service, and no second one.
    assert.equal(reply.headers['access-control-allow-origin'], ORIGIN);
    const answer = await raw(nginx.url, 'GET / HTTP/1.0\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*"host":"weather_api"/);
  });
});

describe('a response that nginx generates', () => {
  const lifetime = suiteLifetime();
  let silent: string;
  let nginx: Nginx;
  const start = async (corsOrigins: string, requestsPerAddress = 1000) => {
    const started = await startNginx({
      replicas: [silent],
      corsOrigins,
      readTimeoutSeconds: 1,
      requestsPerAddress,
    });
    lifetime.after(() => started.stop());
    return started;
  };
  before(async () => {
    // Accepts every connection and never responds.
    silent = await listenLocally(lifetime, createServer());
    nginx = await start(`https://other.example/, ${ORIGIN}`);
  });

  it('is a 504 in the format of all errors if the service does not respond', async () => {
    const reply = await attempt(nginx.url + WEATHER, { headers: { Origin: ORIGIN } });
    assert.deepEqual([reply.status, corsOf(reply)], [504, CORS]);
    assert.equal((reply.json as { error: string }).error, 'Gateway timeout');
    assert.equal(reply.headers['retry-after'], '5');
  });

  it('is a 403 in the format of all errors for a client that is blocked', async (t) => {
    const blocking = await startNginx({
      replicas: ['http://127.0.0.1:9'],
      corsOrigins: ORIGIN,
      denied: '127.0.0.1',
    });
    t.after(() => blocking.stop());
    const reply = await attempt(blocking.url + WEATHER, { headers: { Origin: ORIGIN } });
    assert.deepEqual([reply.status, corsOf(reply)], [403, CORS]);
    assert.equal((reply.json as { error: string }).error, 'Forbidden');
  });

  it('has the format of all errors if the request is invalid or too large', async () => {
    const broken: [string, string][] = [
      ['hello\r\n\r\n', 'Bad request'],
      ['GET / HTTP/1.1\r\n\r\n', 'Bad request'],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'Request header fields too large'],
      ['GET /.nginx/502 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Not found'],
      ['GET / HTTP/2.0\r\nHost: x\r\n\r\n', 'HTTP version not supported'],
      ['GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n', 'Not implemented'],
      ['TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Method not allowed'],
    ];
    for (const [text, title] of broken) {
      const socket = connect(Number(new URL(nginx.url).port), '127.0.0.1').setEncoding('utf8');
      socket.write(text);
      const answer = (await socket.toArray()).join('');
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { error: string };
      assert.equal(body.error, title);
      for (const header of [
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
      ]) {
        assert.ok(answer.includes(`\r\n${header}\r\n`), header);
      }
      assert.equal(
        /\r\nAllow: (.+)\r\n/.exec(answer)?.[1],
        title === 'Method not allowed' ? 'GET, HEAD, POST, DELETE, OPTIONS' : undefined,
      );
    }
  });

  it('is a 429 for an address that has too many concurrent requests', async (t) => {
    const { url } = await start(ORIGIN, 3);
    const headers = { Origin: ORIGIN };
    const from = (localAddress: string) =>
      attempt(url, { agent: new Agent({ localAddress }), headers });
    // A request counts from the end of its headers, while its body is sent byte by byte. A client whose request was rejected
    // or cut sends another one: an earlier request may still count, and a busy machine may pause longer than nginx waits.
    let sending = true;
    const slow = Array.from({ length: 3 }, () => {
      let socket: Socket;
      const open = () => {
        socket = connect(Number(new URL(url).port), '127.0.0.1');
        for (const event of ['data', 'error']) socket.once(event, () => socket.destroy());
        socket.once('close', () => {
          if (sending) open();
        });
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{');
      };
      open();
      return () => socket;
    });
    const timer = setInterval(() => {
      for (const socket of slow) socket().write(' ');
    }, 500);
    t.after(() => {
      sending = false;
      clearInterval(timer);
      for (const socket of slow) socket().destroy();
    });
    let rejected: Reply | undefined;
    await eventually(async () => {
      rejected = await from('127.0.0.1');
      return rejected.status === 429;
    }, 'a rejection');
    assert.deepEqual(corsOf(rejected!), CORS);
    assert.equal((rejected!.json as { error: string }).error, 'Too many requests');
    assert.equal(rejected!.headers['retry-after'], '5');
    assert.match(String(rejected!.headers['x-request-id']), /^[\da-f]{32}$/);
    // The service never responds, so a request that was passed on gets 504.
    assert.equal((await from('127.0.0.2')).status, 504);
    // nginx ends a body that stops.
    sending = false;
    clearInterval(timer);
    await Promise.all(slow.map((socket) => once(socket().resume(), 'close')));
    assert.equal((await from('127.0.0.1')).status, 504);
  });

  it('is a 413 for a body above its limit', async () => {
    const reply = await ask(nginx.url + WEATHER, {
      method: 'POST',
      body: 'x'.repeat(70_000),
      headers: { Origin: 'https://other.example' },
    });
    assert.equal(reply.status, 413);
    assert.equal(reply.headers['access-control-allow-origin'], 'https://other.example');
    assert.equal(reply.headers['retry-after'], undefined);
    assert.equal((reply.json as { error: string }).error, 'Payload too large');
  });

  it('allows every origin but null with *, and no origin if none is listed', async () => {
    const all = await start('*');
    const corsFor = async ({ url }: Nginx, Origin: string) =>
      corsOf(await attempt(url + WEATHER, { headers: { Origin } }));
    const allowed = await corsFor(all, ORIGIN);
    assert.equal(allowed['access-control-allow-origin'], ORIGIN);
    assert.deepEqual(await corsFor(all, 'null'), {});
    assert.deepEqual(await corsFor(await start(''), ORIGIN), {});
  });
});
