import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';
import { attempt, type Reply } from '../support/load.js';
import { sectionOf } from '../support/markdown.js';
import { nginxFolder, runNginx, startNginx } from '../support/nginx.js';
import { raw } from '../support/raw-request.js';
import { freePort } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { ROOT } from './compose-file.js';

const ORIGIN = 'https://app.example';
const WEATHER = '/api/v1/weather';
const LONGEST_BODY = 16 * 1024;

/** The title of an error, and the origin whose pages may read it. */
const errorOf = ({ json, headers }: Reply) => [
  (json as { error: string }).error,
  headers['access-control-allow-origin'],
];

describe('a request while every replica refuses connections', () => {
  it('gets a 502 in the format of all errors, also when all count as failed', async (t) => {
    const ports = [await freePort(), await freePort()];
    const nginx = await startNginx(t, {
      replicas: ports.map((port) => `http://127.0.0.1:${port}`),
      corsOrigins: ORIGIN,
    });
    // For all requests but the first, all replicas count as failed.
    for (const id of ['first', 'second', 'third', 'fourth']) {
      const headers = { Origin: ORIGIN, 'X-Request-ID': id };
      const reply = await attempt(nginx.url + WEATHER, { headers });
      assert.equal(reply.status, 502, id);
      assert.deepEqual(errorOf(reply), ['Bad gateway', ORIGIN]);
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
  it('is answered by another replica, also if it is a POST', async (t) => {
    const failing = createHttpServer(({ socket }) => socket.destroy());
    const healthy = createHttpServer((_, response) => response.end('ok'));
    const servers = [failing, healthy];
    const replicas = await Promise.all(servers.map((server) => listenLocally(t, server)));
    const nginx = await startNginx(t, { replicas });
    for (const method of ['GET', 'POST', 'DELETE']) {
      // A failed replica gets no requests for five seconds.
      await eventually(async () => {
        const body = method === 'POST' ? 'x'.repeat(LONGEST_BODY) : undefined;
        assert.equal((await attempt(nginx.url, { method, body })).status, 200, method);
        return (await nginx.records()).some(
          (record) => record['method'] === method && String(record['upstream']).includes(', '),
        );
      }, `a ${method} that was sent to two replicas`);
    }
  });

  it('is answered by a replica that has recovered, while all count as failed', async (t) => {
    let healthy = false;
    const start = () =>
      listenLocally(
        t,
        createHttpServer(({ socket }, response) => {
          if (healthy) response.end('ok');
          else socket.destroy();
        }),
      );
    const nginx = await startNginx(t, { replicas: [await start(), await start()] });
    assert.equal((await attempt(nginx.url)).status, 502);
    healthy = true;
    assert.equal((await attempt(nginx.url, { method: 'POST' })).status, 200);
  });
});

describe('a request that nginx passes on', () => {
  it('has the address and the scheme that nginx sees, behind those that the client sent', async (t) => {
    const server = createHttpServer((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', ORIGIN);
      response.end(JSON.stringify(request.headers));
    });
    const replica = await listenLocally(t, server);
    const nginx = await startNginx(t, { replicas: [replica], corsOrigins: ORIGIN });
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

describe('a response of a type that compression makes smaller', () => {
  it('is compressed, from the service and from the cache, unless the service has compressed it', async (t) => {
    const text = JSON.stringify({ hours: Array.from({ length: 500 }, (_, n) => ({ n })) });
    const types: Record<string, string> = {
      '/api/v1/forecast/hourly?city=a': 'application/json; charset=utf-8',
      '/api/v1/weather': 'application/json',
      '/page/page.js': 'text/javascript; charset=utf-8',
      '/page/page.css': 'text/css',
      '/llms.txt': 'text/plain',
      '/icon.svg': 'image/svg+xml',
    };
    const server = createHttpServer(({ url = '' }, response) => {
      const type = types[url] ?? 'application/json';
      const caching = { 'Cache-Control': 'public', 'X-Accel-Expires': '60', Vary: 'Origin' };
      const coding = url === '/compressed' ? { 'Content-Encoding': 'gzip' } : {};
      const body = url === '/compressed' ? gzipSync(text) : text;
      response.writeHead(200, { 'Content-Type': type, ETag: 'W/"a"', ...caching, ...coding });
      response.end(body);
    });
    const nginx = await startNginx(t, { replicas: [await listenLocally(t, server)] });
    const get = (path: string, coding?: string) =>
      attempt(nginx.url + path, {
        headers: { Via: '1.1 a', ...(coding && { 'Accept-Encoding': coding }) },
      });
    for (const path of [...Object.keys(types), ...Object.keys(types), '/compressed']) {
      const { headers, body } = await get(path, 'br, gzip;q=0.5');
      assert.equal(headers['content-encoding'], 'gzip', path);
      assert.equal(gunzipSync(body).toString(), text);
      assert.equal(headers.etag, 'W/"a"');
      if (path !== '/compressed') assert.match(String(headers.vary), /Accept-Encoding/);
    }
    const plain = await get('/api/v1/weather');
    assert.deepEqual([plain.headers['content-encoding'], plain.text], [undefined, text]);
  });
});

describe('the metrics of nginx', () => {
  it('are served in the text format of Prometheus', async (t) => {
    const folder = await nginxFolder(t);
    const port = await freePort();
    const metrics = await readFile(join(ROOT, 'k8s/nginx/metrics.conf.template'), 'utf8');
    const server = metrics.replace('listen 9113', `listen 127.0.0.1:${port}`);
    const main = `pid ${folder}/pid; events {} http { ${server} }`;
    await writeFile(join(folder, 'nginx.conf'), main);
    const url = `http://127.0.0.1:${port}/metrics`;
    await runNginx(t, folder, url);
    const { text, headers } = await attempt(url);
    assert.equal(headers['content-type'], 'text/plain');
    assert.match(text, /^nginx_connections_active [1-9]\d*\nnginx_connections_reading \d+\n$/);
  });
});

describe('the commands of the runbook that block clients', () => {
  it('add a block, and lift only this one', async (t) => {
    const folder = await nginxFolder(t);
    const runbook = await readFile(join(ROOT, 'docs/operations/runbook.md'), 'utf8');
    const scripts = [...sectionOf(runbook, '### Block a client').matchAll(/nginx sh -c '(.*)'$/gm)];
    const [block = '', list = '', lift = ''] = scripts.map(([, script = '']) =>
      script.replaceAll('/etc/nginx/conf.d', folder).replace('nginx -s reload', 'true'),
    );
    const run = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
    run(block.replace('203.0.113.7', '198.51.100.9'));
    run(block);
    assert.equal(run(list), 'deny 198.51.100.9;\ndeny 203.0.113.7;\n');
    run(lift);
    assert.equal(run(list), 'deny 198.51.100.9;\n');
  });
});

describe('a response that nginx generates', () => {
  const lifetime = suiteLifetime();
  let silent: string;
  let url: string;
  const start = async (corsOrigins: string) => {
    const options = { replicas: [silent], corsOrigins, readTimeoutSeconds: 1 };
    return (await startNginx(lifetime, options)).url;
  };
  before(async () => {
    // Accepts every connection and never responds.
    silent = await listenLocally(lifetime, createServer());
    url = await start(`https://other.example/, ${ORIGIN}`);
  });

  it('is a 504 in the format of all errors if the service does not respond', async () => {
    const reply = await attempt(url + WEATHER, { headers: { Origin: ORIGIN } });
    assert.equal(reply.status, 504);
    assert.deepEqual(errorOf(reply), ['Gateway timeout', ORIGIN]);
    assert.equal(reply.headers['retry-after'], '5');
  });

  it('has the format of all errors if the request is invalid or too large', async () => {
    const broken: [string, string][] = [
      ['hello\r\n\r\n', 'Bad request'],
      // As curl sends them.
      ['GET /api/v1/weather?city=Zürich HTTP/1.1\r\nHost: x\r\n\r\n', 'Bad request'],
      ['GET /api/v1/forecast?city=Zürich HTTP/1.1\r\nHost: x\r\n\r\n', 'Bad request'],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'Request header fields too large'],
      ['GET /.nginx/502 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Not found'],
      ['TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Method not allowed'],
      [
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${LONGEST_BODY + 1}\r\n\r\n`,
        'Payload too large',
      ],
    ];
    for (const [text, title] of broken) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
      socket.end(text);
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
    }
  });

  it('has the headers of every response of the service', async (t) => {
    const env = { CORS_ORIGINS: ORIGIN };
    const { replicas } = await startProcesses(t, { replicas: 1, workers: 0, env });
    const headersOf = async (base: string) => {
      const { headers } = await attempt(`${base}/.nginx/502`, { headers: { Origin: ORIGIN } });
      const common = Object.entries(headers).filter(([name]) =>
        /^(access-control|vary|cache-control|x-content|content-security)/.test(name),
      );
      return common.sort();
    };
    const expected = await headersOf(replicas[0]!.url);
    assert.ok(expected.length >= 9);
    assert.deepEqual(await headersOf(url), expected);
  });

  it('is a 429 for an address that has too many concurrent requests', async (t) => {
    const server = createHttpServer((request, response) => {
      if (request.url !== '/never') response.end('ok');
    });
    const replica = await listenLocally(t, server);
    const nginx = await startNginx(t, { replicas: [replica], requestsPerAddress: 1 });
    const from = (localAddress: string) =>
      attempt(nginx.url, { agent: new Agent({ localAddress }) });
    await eventually(async () => {
      // Sent again: it is rejected, too, if an earlier request has not ended.
      void attempt(`${nginx.url}/never`);
      const reply = await from('127.0.0.1');
      return reply.status === 429 && reply.headers['retry-after'] === '5';
    }, 'a rejection');
    assert.equal((await from('127.0.0.2')).status, 200);
  });

  it('allows every origin but null with *, and no origin if none is listed', async () => {
    const all = await start('*');
    const allowed = async (at: string, Origin: string) =>
      errorOf(await attempt(at + WEATHER, { headers: { Origin } }))[1];
    assert.equal(await allowed(all, ORIGIN), ORIGIN);
    assert.equal(await allowed(all, 'null'), undefined);
    assert.equal(await allowed(await start(''), ORIGIN), undefined);
  });
});
