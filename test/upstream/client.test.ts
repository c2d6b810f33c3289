import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { getEventListeners, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import Joi from 'joi';
import { UpstreamError } from '../../src/errors.js';
import {
  createUpstreamClient,
  type JsonRequest,
  type UpstreamClient,
} from '../../src/upstream/client.js';
import { manualClock, systemClock } from '../support/manual-clock.js';

const AGENT = 'weather-test/1.0 ops@example.org';
const SCHEMA = Joi.object<{ value: number }>({ value: Joi.number().required() });
const JSON_TYPE = { 'content-type': 'application/json' };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Listening {
  url: URL;
  server: Server;
  connections: () => Promise<number>;
}

async function listen(handler: RequestListener): Promise<Listening> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    server,
    url: new URL(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/data?appid=top-secret-key`,
    ),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => {
          if (error) reject(error);
          else resolve(count);
        });
      }),
  };
}

function client(options: Partial<Parameters<typeof createUpstreamClient>[0]> = {}): UpstreamClient {
  const made = createUpstreamClient({
    userAgent: AGENT,
    timeoutMs: 20_000,
    clock: systemClock,
    ...options,
  });
  closing.push(() => {
    made.close();
  });
  return made;
}

function request(url: URL, more: Partial<JsonRequest<{ value: number }>> = {}) {
  const { signal } = new AbortController();
  return { upstream: 'test-upstream', url, schema: SCHEMA, signal, ...more };
}

async function failure(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  assert.equal(error.upstream, 'test-upstream');
  const told = `${error.message} ${String(error.cause)} ${JSON.stringify(error)}`;
  assert.ok(!told.includes('top-secret-key'), 'an error must not hold the key');
  assert.ok(!told.includes('127.0.0.1'), 'an error must not hold the URL');
  return error;
}

/** Waits for something that happens soon on its own; the suite's own time limit ends it otherwise. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(10);
}

describe('an answer', { timeout: 60_000 }, () => {
  it('is given as the schema describes it, with its headers', async () => {
    const seen: Record<string, unknown>[] = [];
    const { url } = await listen((incoming, response) => {
      seen.push(incoming.headers);
      response.writeHead(200, { ...JSON_TYPE, 'x-extra': 'yes' });
      response.end('{"value":1,"more":{"deep":[1]}}');
    });
    const answer = await client().getJson(request(url));
    assert.deepEqual(answer.body, { value: 1 });
    assert.equal(answer.headers.get('x-extra'), 'yes');
    assert.ok(Math.abs(answer.at - Date.now()) < 60_000);
    assert.equal(seen[0]?.['user-agent'], AGENT);
    assert.equal(seen[0]['accept'], 'application/json');
  });

  for (const [coding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    it(`may be compressed with ${coding}`, async () => {
      const { url } = await listen((_incoming, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding });
        response.end(compress('{"value":2}'));
      });
      assert.deepEqual((await client().getJson(request(url))).body, { value: 2 });
    });
  }

  it('is asked for uncompressed when it is small, and may be compressed all the same', async () => {
    const codings: unknown[] = [];
    const { url } = await listen((incoming, response) => {
      codings.push(incoming.headers['accept-encoding']);
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync('{"value":2}'));
    });
    const calls = client();
    assert.deepEqual((await calls.getJson(request(url))).body, { value: 2 });
    assert.deepEqual((await calls.getJson(request(url, { small: true }))).body, { value: 2 });
    assert.deepEqual(codings, ['gzip, deflate, br', 'identity']);
  });

  it('takes its time from the upstream, or from our clock when the upstream gives none', async () => {
    const date = 'Sat, 21 Nov 2026 00:36:49 GMT';
    const { url } = await listen((incoming, response) => {
      response.sendDate = false;
      if (incoming.url?.includes('dated')) response.setHeader('date', date);
      response.end('{"value":1}');
    });
    const clock = manualClock(1_000_000);
    const dated = new URL('/dated', url);
    assert.equal((await client({ clock }).getJson(request(dated))).at, Date.parse(date));
    assert.equal((await client({ clock }).getJson(request(url))).at, 1_000_000);
  });

  it('may be "not modified" when the request was conditional', async () => {
    const { url } = await listen((incoming, response) => {
      response.statusCode = incoming.headers['if-modified-since'] === 'then' ? 304 : 200;
      response.setHeader('expires', 'soon');
      response.end(response.statusCode === 304 ? undefined : '{"value":3}');
    });
    const unchanged = await client().getJsonIfModified(request(url), 'then');
    assert.equal(unchanged.body, undefined);
    assert.equal(unchanged.headers.get('expires'), 'soon');
    assert.deepEqual((await client().getJsonIfModified(request(url), 'now')).body, { value: 3 });
  });

  it('comes over one connection that is kept', async () => {
    const { url, connections, server } = await listen((_incoming, response) => {
      response.end('{"value":1}');
    });
    let opened = 0;
    server.on('connection', () => (opened += 1));
    const kept = client();
    for (let call = 0; call < 5; call += 1) await kept.getJson(request(url));
    assert.equal(opened, 1);
    kept.close();
    await eventually(async () => (await connections()) === 0);
  });

  it('waits for a free connection when all are in use', async () => {
    let now = 0;
    let peak = 0;
    const { url } = await listen((_incoming, response) => {
      peak = Math.max(peak, (now += 1));
      setTimeout(() => {
        now -= 1;
        response.end('{"value":1}');
      }, 20);
    });
    const bounded = client({ maxSockets: 2 });
    await Promise.all(Array.from({ length: 10 }, () => bounded.getJson(request(url))));
    assert.equal(peak, 2);
  });
});

describe('a failed answer', { timeout: 60_000 }, () => {
  const bad: [string, number, string][] = [
    ['HTML', 200, '<html>hello</html>'],
    ['nothing', 200, ''],
    ['no content', 204, ''],
    ['half a JSON', 200, '{"value":'],
    ['NaN', 200, '{"value":NaN}'],
    ['null for a number', 200, '{"value":null}'],
    ['text for a number', 200, '{"value":"1"}'],
    ['more than a number can hold', 200, '{"value":1e999}'],
    ['a missing field', 200, '{}'],
    ['an array', 200, '[]'],
    ['null', 200, 'null'],
    ['a 304 that nobody asked for', 304, ''],
    ['a 400', 400, '{"value":1}'],
    ['a 404', 404, '{"value":1}'],
  ];
  for (const [what, status, body] of bad) {
    it(`is ${what}`, async () => {
      const { url } = await listen((_incoming, response) => {
        response.writeHead(status, JSON_TYPE);
        response.end(body);
      });
      assert.equal((await failure(client().getJson(request(url)))).kind, 'bad_answer');
    });
  }

  it('is one that cannot be decompressed', async () => {
    const { url } = await listen((_incoming, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('{"value":1}');
    });
    assert.equal((await failure(client().getJson(request(url)))).kind, 'bad_answer');
  });

  it('is one that is cut off', async () => {
    const { url } = await listen((_incoming, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"value":1', () => response.destroy());
    });
    assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
  });

  it('is a reset connection, and one that nobody accepts', async () => {
    const { url, server } = await listen((incoming) => {
      incoming.socket.resetAndDestroy();
    });
    assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
    server.close();
    assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
  });

  for (const status of [500, 502, 504]) {
    it(`is a ${status}`, async () => {
      const { url } = await listen((_incoming, response) => {
        response.writeHead(status);
        response.end('<html>oops</html>');
      });
      const error = await failure(client().getJson(request(url)));
      assert.equal(error.kind, 'unavailable');
      assert.equal(error.retryAfterMs, undefined);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`is a redirect (${status}), which is not followed, not even to a private address`, async () => {
      let reached = 0;
      const inside = await listen((_incoming, response) => {
        reached += 1;
        response.end('{"value":1}');
      });
      const { url, connections } = await listen((_incoming, response) => {
        response.writeHead(status, { location: inside.url.href });
        // More than fits into the buffers on the way: the connection does not end by itself.
        response.end('x'.repeat(5_000_000));
      });
      assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
      assert.equal(reached, 0);
      await eventually(async () => (await connections()) === 0);
    });
  }
});

describe('a quota', { timeout: 60_000 }, () => {
  const at = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');
  const cases: [string, number, string | undefined, string, number | undefined][] = [
    ['429 in seconds', 429, '120', 'quota', 120_000],
    ['429 as a date', 429, 'Sat, 21 Nov 2026 10:05:00 GMT', 'quota', 300_000],
    ['429 as a date gone by', 429, 'Sat, 21 Nov 2026 09:00:00 GMT', 'quota', 1000],
    ['429 with a mistake', 429, '99999999999', 'quota', 86_400_000],
    ['429 with nonsense', 429, 'later', 'quota', 60_000],
    ['429 without a word', 429, undefined, 'quota', 60_000],
    ['503 in seconds', 503, '7', 'unavailable', 7000],
    ['503 with a day', 503, '86400', 'unavailable', 30_000],
    ['503 as a date hours away', 503, 'Sat, 21 Nov 2026 15:00:00 GMT', 'unavailable', 30_000],
    ['503 without a word', 503, undefined, 'unavailable', undefined],
    ['500, where it means nothing', 500, '7', 'unavailable', undefined],
  ];
  for (const [what, status, header, kind, retryAfterMs] of cases) {
    it(`is told by Retry-After: ${what}`, async () => {
      const { url } = await listen((_incoming, response) => {
        response.sendDate = false;
        response.writeHead(status, {
          date: new Date(at).toUTCString(),
          ...(header === undefined ? {} : { 'retry-after': header }),
        });
        response.end('busy');
      });
      const error = await failure(client().getJson(request(url)));
      assert.equal(error.kind, kind);
      assert.equal(error.retryAfterMs, retryAfterMs);
    });
  }

  it('is told by the body to whoever can read it', async () => {
    const { url } = await listen((_incoming, response) => {
      response.writeHead(418);
      response.end('come back in two hours');
    });
    const explain: JsonRequest<unknown>['explain'] = ({ status, body }) =>
      status === 418 && body.includes('two hours')
        ? { kind: 'quota', message: 'tea time', retryAfterMs: 7_200_000 }
        : undefined;
    const error = await failure(client().getJson(request(url, { explain })));
    assert.equal(error.kind, 'quota');
    assert.equal(error.retryAfterMs, 7_200_000);
  });
});

describe('time and size', { timeout: 60_000 }, () => {
  const slow: [string, RequestListener][] = [
    ['no answer', () => undefined],
    [
      'half an answer',
      (_incoming, response) => {
        response.writeHead(200);
        response.write('{"value":');
      },
    ],
    [
      'half a compressed answer',
      (_incoming, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.write(gzipSync('{"value":1}').subarray(0, 15));
      },
    ],
    [
      'an answer drop by drop',
      (_incoming, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 10);
        response.once('close', () => {
          clearInterval(timer);
        });
      },
    ],
  ];
  for (const [what, handler] of slow) {
    it(`ends ${what} at the deadline and cuts the connection`, async () => {
      const { url, connections } = await listen(handler);
      const error = await failure(client({ timeoutMs: 200 }).getJson(request(url)));
      assert.equal(error.kind, 'unavailable');
      assert.match(error.message, /within 200 ms/);
      await eventually(async () => (await connections()) === 0);
    });

    it(`ends ${what} when the caller gives up and throws the caller's reason`, async () => {
      const { url, connections, server } = await listen(handler);
      const controller = new AbortController();
      const reason = new Error('no longer wanted');
      const call = client().getJson(request(url, { signal: controller.signal }));
      call.catch(() => undefined);
      await once(server, 'request');
      await sleep(50);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
      await eventually(async () => (await connections()) === 0);
    });
  }

  it('does not begin a call whose caller has already given up', async () => {
    let calls = 0;
    const { url } = await listen((_incoming, response) => {
      calls += 1;
      response.end('{"value":1}');
    });
    const reason = new Error('before');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(client().getJson(request(url, { signal })), (error) => error === reason);
    assert.equal(calls, 0);
  });

  it('leaves nothing on a signal that outlives many calls', async () => {
    const { url } = await listen((_incoming, response) => {
      response.end('{"value":1}');
    });
    const { signal } = new AbortController();
    const one = client();
    for (let call = 0; call < 20; call += 1) await one.getJson(request(url, { signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('accepts a body of exactly the cap and refuses one byte more', async () => {
    const { url } = await listen((incoming, response) => {
      const length = Number(new URL(incoming.url ?? '', 'http://x').searchParams.get('length'));
      response.end('{"value":1}'.padEnd(length, ' '));
    });
    const capped = client({ maxBodyBytes: 5000 });
    const sized = (length: number) => new URL(`/?length=${length}`, url);
    assert.deepEqual((await capped.getJson(request(sized(5000)))).body, { value: 1 });
    assert.equal((await failure(capped.getJson(request(sized(5001))))).kind, 'bad_answer');
  });

  for (const status of [200, 500]) {
    it(`cuts an endless body of a ${status} at the cap`, async () => {
      let sent = 0;
      const piece = Buffer.alloc(65_536, ' ');
      const { url, connections } = await listen((_incoming, response) => {
        response.writeHead(status);
        const more = () => {
          while (!response.destroyed) {
            sent += piece.length;
            if (!response.write(piece)) break;
          }
        };
        response.on('drain', more);
        more();
      });
      const error = await failure(client().getJson(request(url)));
      assert.equal(error.kind, 'bad_answer');
      await eventually(async () => (await connections()) === 0);
      // The cap of 1 MiB, and what fits into the socket's buffers of both sides.
      assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`);
    });
  }

  it('cuts a compressed bomb at the cap; memory stays flat', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const { url, connections } = await listen((_incoming, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    const one = client();
    await failure(one.getJson(request(url)));
    const before = process.memoryUsage();
    let peak = 0;
    for (let call = 0; call < 10; call += 1) {
      assert.equal((await failure(one.getJson(request(url)))).kind, 'bad_answer');
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      peak = Math.max(peak, arrayBuffers + heapUsed);
    }
    const growth = peak - before.arrayBuffers - before.heapUsed;
    assert.ok(growth < 48 * 1024 * 1024, `${growth} bytes more for 640 MiB of bombs`);
    await eventually(async () => (await connections()) === 0);
  });
});
