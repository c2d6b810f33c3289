import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { before, describe, it, type TestContext } from 'node:test';
import { watchOver } from '../support/children.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, type Reply } from '../support/load.js';
import { startNginx, type Nginx } from '../support/nginx.js';
import { CORS, corsOf, ORIGIN, SEATTLE } from './deployment.js';

/** A replica that reads a request and dies over it. */
async function startDying(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Makes a port take no connection and refuse none: as an address is that is gone. */
async function removeFrom(t: TestContext, url: string): Promise<void> {
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

/** A replica that breaks off every connection while it is not well. */
async function startReplica(t: TestContext, well: boolean) {
  const server = createHttpServer((request, response) => {
    if (replica.well) response.end('ok');
    else request.socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const replica = {
    url: `http://127.0.0.1:${port}`,
    well,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  t.after(() => {
    replica.close();
  });
  return replica;
}

describe('a request that nginx can give to no replica, because it has failed just before', () => {
  const startFailing = async (t: TestContext, second: { url: string }) => {
    const first = await startReplica(t, false);
    const nginx = await startNginx({ replicas: [first.url, second.url] });
    t.after(() => nginx.stop());
    await eventually(async () => {
      await attempt(nginx.url);
      return (await nginx.records()).some(({ upstream }) => String(upstream).includes(', '));
    }, 'a failure');
    return { first, nginx };
  };

  it('is given to it all the same, if that has become well', async (t) => {
    const second = await startReplica(t, false);
    const { first, nginx } = await startFailing(t, second);
    first.well = second.well = true;
    assert.equal((await attempt(nginx.url)).status, 200);
  });

  it('is given to it also after another that cannot be connected to, POST as well', async (t) => {
    const second = await startReplica(t, true);
    const { first, nginx } = await startFailing(t, second);
    second.close();
    await removeFrom(t, second.url);
    first.well = true;
    assert.equal((await attempt(nginx.url, { method: 'POST' })).status, 200);
    const last = (await nginx.records()).at(-1);
    assert.match(String(last?.['upstream_status']), /^504, 502 : /);
  });
});

describe('a request while every replica refuses connections', () => {
  it('is answered in the form of all errors, also when all count as failed', async (t) => {
    const replicas = [await startReplica(t, false), await startReplica(t, false)];
    for (const replica of replicas) replica.close();
    const nginx = await startNginx({
      replicas: replicas.map(({ url }) => url),
      corsOrigins: ORIGIN,
    });
    t.after(() => nginx.stop());
    // The first finds out that nobody listens; the others begin with all replicas counted as failed.
    for (const id of ['first', 'second', 'third', 'fourth']) {
      const headers = { Origin: ORIGIN, 'X-Request-ID': id };
      const reply = await attempt(nginx.url + SEATTLE, { headers });
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

describe('a request that a replica drops', () => {
  it('is answered by another, POST as well', async (t) => {
    const living = createHttpServer((_request, response) => response.end('ok'));
    living.listen(0, '127.0.0.1');
    t.after(() => {
      living.close();
      living.closeAllConnections();
    });
    await once(living, 'listening');
    const other = `http://127.0.0.1:${(living.address() as AddressInfo).port}`;
    const nginx = await startNginx({ replicas: [await startDying(t), other] });
    t.after(() => nginx.stop());
    for (const method of ['GET', 'POST', 'DELETE']) {
      // Whoever has failed is spared for five seconds; then it is tried once more.
      await eventually(async () => {
        assert.equal((await attempt(nginx.url, { method })).status, 200, method);
        return (await nginx.records()).some(
          (record) => record['method'] === method && String(record['upstream']).includes(', '),
        );
      }, `a ${method} that had to be sent twice`);
    }
  });

  it('ends two replicas at most, if every one that reads it dies', async (t) => {
    const replicas = await Promise.all([1, 2, 3].map(() => startDying(t)));
    const nginx = await startNginx({ replicas });
    t.after(() => nginx.stop());
    // The start asked each of them, too: who has failed then is spared for five seconds.
    await eventually(async () => {
      assert.equal((await attempt(nginx.url, { method: 'POST' })).status, 502);
      const tried = (await nginx.records()).map(
        (each) => String(each['upstream']).split(', ').length,
      );
      assert.ok(Math.max(...tried) <= 2, String(tried));
      return tried.includes(2);
    }, 'a request that was sent twice');
  });
});

describe('nginx by itself', () => {
  const lifetime = suiteLifetime();
  // Takes every connection and never answers.
  const mute = createServer();
  let nginx: Nginx;
  const start = async (corsOrigins: string, requestsPerAddress = 1000) => {
    const { port } = mute.address() as AddressInfo;
    const started = await startNginx({
      replicas: [`http://127.0.0.1:${port}`],
      corsOrigins,
      readTimeoutSeconds: 1,
      requestsPerAddress,
    });
    lifetime.after(() => started.stop());
    return started;
  };
  before(async () => {
    mute.listen(0, '127.0.0.1');
    lifetime.after(() => mute.close());
    await once(mute, 'listening');
    nginx = await start(`https://other.example/, ${ORIGIN}`);
  });

  it('answers 504 when the service does not, in the form of all errors', async () => {
    const reply = await attempt(nginx.url + SEATTLE, { headers: { Origin: ORIGIN } });
    assert.deepEqual([reply.status, corsOf(reply)], [504, CORS]);
    assert.equal((reply.json as { error: string }).error, 'Gateway timeout');
    assert.equal(reply.headers['retry-after'], '5');
  });

  it('answers an invalid request, and one that is too large, in that form, too', async () => {
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
      assert.match(answer, /\r\nCache-Control: no-store\r\n/);
      assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/);
      assert.match(
        answer,
        /\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n/,
      );
      assert.equal(
        /\r\nAllow: (.+)\r\n/.exec(answer)?.[1],
        title === 'Method not allowed' ? 'GET, HEAD, POST, DELETE, OPTIONS' : undefined,
      );
    }
  });

  it('lets one address have so many requests under way, and answers 429 to more', async (t) => {
    const { url } = await start(ORIGIN, 3);
    const headers = { Origin: ORIGIN };
    const from = (localAddress: string) =>
      attempt(url, { agent: new Agent({ localAddress }), headers });
    // A request counts from the end of its headers: its body may come byte by byte. A client that is refused or
    // cut comes again: one answered before may still count, and a machine can pause for longer than nginx waits.
    let drips = true;
    const slow = Array.from({ length: 3 }, () => {
      let socket: Socket;
      const open = () => {
        socket = connect(Number(new URL(url).port), '127.0.0.1');
        for (const event of ['data', 'error']) socket.once(event, () => socket.destroy());
        socket.once('close', () => {
          if (drips) open();
        });
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{');
      };
      open();
      return () => socket;
    });
    const drip = setInterval(() => {
      for (const socket of slow) socket().write(' ');
    }, 500);
    t.after(() => {
      drips = false;
      clearInterval(drip);
      for (const socket of slow) socket().destroy();
    });
    let refused: Reply | undefined;
    await eventually(async () => {
      refused = await from('127.0.0.1');
      return refused.status === 429;
    }, 'a refusal');
    assert.deepEqual(corsOf(refused!), CORS);
    assert.equal((refused!.json as { error: string }).error, 'Too many requests');
    assert.equal(refused!.headers['retry-after'], '5');
    assert.match(String(refused!.headers['x-request-id']), /^[\da-f]{32}$/);
    // The stand-in never answers: who is let through gets 504.
    assert.equal((await from('127.0.0.2')).status, 504);
    // A body of which nothing more comes ends.
    drips = false;
    clearInterval(drip);
    await Promise.all(slow.map((socket) => once(socket().resume(), 'close')));
    assert.equal((await from('127.0.0.1')).status, 504);
  });

  it('answers 413 to a body that it does not pass on', async () => {
    const reply = await ask(nginx.url + SEATTLE, {
      method: 'POST',
      body: 'x'.repeat(70_000),
      headers: { Origin: 'https://other.example' },
    });
    assert.equal(reply.status, 413);
    assert.equal(reply.headers['access-control-allow-origin'], 'https://other.example');
    assert.equal(reply.headers['retry-after'], undefined);
    assert.equal((reply.json as { error: string }).error, 'Payload too large');
  });

  it('with * allows every origin but null, and without origins none', async () => {
    const all = await start('*');
    const allowed = await attempt(all.url + SEATTLE, {
      headers: { Origin: 'https://any.example' },
    });
    assert.equal(corsOf(allowed)['access-control-allow-origin'], 'https://any.example');
    assert.deepEqual(corsOf(await attempt(all.url + SEATTLE, { headers: { Origin: 'null' } })), {});
    const none = await start('');
    assert.deepEqual(
      corsOf(await attempt(none.url + SEATTLE, { headers: { Origin: ORIGIN } })),
      {},
    );
  });
});
