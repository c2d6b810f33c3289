import assert from 'node:assert/strict';
import { type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import Joi from 'joi';
import type { Explain } from '../../src/upstream/failures.js';
import {
  JSON_TYPE,
  client,
  closeAfterEach,
  failure,
  listen,
  listenWith,
  request,
} from './client-under-test.js';

closeAfterEach();

describe('a failed response', () => {
  const noJson = 'the response is not JSON';
  const bad: [string, number, string, string][] = [
    ['HTML', 200, '<html>hello</html>', noJson],
    ['nothing', 200, '', noJson],
    ['NaN', 200, '{"value":NaN}', noJson],
    [
      'too many lists',
      200,
      '['.repeat(12_001),
      'the response has more than 12000 commas and opening brackets',
    ],
    ['a list', 200, '[]', '"response" must be of type object'],
    ['text for a number', 200, '{"value":"1"}', '"value" must be a number'],
    ['a missing field', 200, '{}', '"value" is required'],
    ['a 304 without a condition', 304, '', 'request rejected (status 304)'],
    ['a 400', 400, '{"value":1}', 'request rejected (status 400)'],
  ];
  for (const [what, status, body, reason] of bad) {
    it(`is ${what}`, async () => {
      const { url } = await listenWith(status, JSON_TYPE, body);
      const error = await failure(client().getJson(request(url)));
      assert.deepEqual([error.kind, error.reason], ['bad_answer', reason]);
    });
  }

  it('is described by printable text, also if the provider sent it', async () => {
    const sent = '\u009b31m\u2028\u202e\u2066\u200f\u0007'.repeat(50);
    const { url } = await listenWith(200, JSON_TYPE, JSON.stringify({ value: sent }));
    const schema = Joi.object<{ value: number }>({ value: Joi.string().pattern(/^\d$/) });
    const matched = await failure(client().getJson(request(url, { schema })));
    const refusing = await listenWith(418, {}, sent);
    const explain: Explain = ({ body }) => ({ kind: 'unavailable', message: body });
    const explained = await failure(client().getJson(request(refusing.url, { explain })));
    const start = '\ufffd31m\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd31m';
    for (const { message, reason } of [matched, explained]) {
      assert.ok(reason.includes(start), reason);
      assert.equal(message, `test-upstream: ${reason}`);
      assert.equal(message.length, 200);
      assert.doesNotMatch(message, /[\p{C}\p{Zl}\p{Zp}]/u);
    }
  });

  it('is a body that cannot be decompressed', async () => {
    const { url } = await listenWith(200, { 'content-encoding': 'gzip' }, '{"value":1}');
    assert.equal((await failure(client().getJson(request(url)))).kind, 'bad_answer');
  });

  it('is a body that is cut off', async () => {
    const { url } = await listen((_incoming, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"value":1', () => response.destroy());
    });
    assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
  });

  it('is a connection that is refused', async () => {
    const { url, server } = await listen();
    server.close();
    assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
  });

  for (const status of [300, 308, 399]) {
    it(`is a redirect (${status}), which is not followed, not even to a private address`, async () => {
      let reached = 0;
      const inside = await listen(() => (reached += 1));
      // More than the socket buffers hold, so that the connection does not close by itself.
      const body = 'x'.repeat(5_000_000);
      const { url, abandoned } = await listenWith(status, { location: inside.url.href }, body);
      assert.equal((await failure(client().getJson(request(url)))).kind, 'unavailable');
      assert.equal(reached, 0);
      await abandoned();
    });
  }
});

describe('a quota', () => {
  const NOW = 'Sat, 21 Nov 2026 10:00:00 GMT';
  const cases: [string, number, string | undefined, string, number | undefined][] = [
    ['429 in seconds', 429, '120', 'quota', 120_000],
    ['429 as a date', 429, 'Sat, 21 Nov 2026 10:05:00 GMT', 'quota', 300_000],
    ['429 as a past date', 429, 'Sat, 21 Nov 2026 09:00:00 GMT', 'quota', 1000],
    ['429 with an absurd number', 429, '99999999999', 'quota', 86_400_000],
    ['429 with invalid text', 429, 'later', 'quota', 60_000],
    ['429 without it', 429, undefined, 'quota', 60_000],
    ['503, which must not delay half-open calls', 503, '86400', 'unavailable', undefined],
    ['500, which must not delay them either', 500, '7', 'unavailable', undefined],
  ];
  for (const [what, status, header, kind, retryAfterMs] of cases) {
    it(`names the time in Retry-After: ${what}`, async () => {
      const headers = { date: NOW, ...(header !== undefined && { 'retry-after': header }) };
      const { url } = await listenWith(status, headers, 'busy');
      const error = await failure(client().getJson(request(url)));
      assert.deepEqual([error.kind, error.retryAfterMs], [kind, retryAfterMs]);
    });
  }
});

describe('a response that takes too long or is too large', () => {
  const slow: [string, RequestListener][] = [
    ['no response', () => undefined],
    [
      'half a compressed response',
      (_incoming, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.write(gzipSync('{"value":1}').subarray(0, 15));
      },
    ],
  ];
  for (const [what, handler] of slow) {
    it(`is ended at the deadline, with its connection: ${what}`, async () => {
      const { url, abandoned } = await listen(handler);
      const error = await failure(client({ timeoutMs: 100 }).getJson(request(url)));
      assert.equal(error.kind, 'unavailable');
      assert.match(error.message, /within 100 ms/);
      await abandoned();
    });
  }

  it('is ended with the reason of the caller who aborts it', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const { url, abandoned } = await listen((_incoming, response) => {
      response.write('{"value":', () => {
        controller.abort(reason);
      });
    });
    const call = client().getJson(request(url, { signal: controller.signal }));
    await assert.rejects(call, (error) => error === reason);
    await abandoned();
  });

  it('may have exactly the maximum size, and not one byte more', async () => {
    const { url } = await listen((incoming, response) => {
      const length = Number(new URL(incoming.url ?? '', 'http://x').searchParams.get('length'));
      response.end('{"value":1}'.padEnd(length, ' '));
    });
    const calls = client();
    const sized = (length: number) => new URL(`/?length=${length}`, url);
    assert.deepEqual((await calls.getJson(request(sized(262_144)))).body, { value: 1 });
    assert.equal((await failure(calls.getJson(request(sized(262_145))))).kind, 'bad_answer');
  });

  it('that is a compression bomb is cut at the maximum size, in bounded memory', async () => {
    const bomb = gzipSync(Buffer.alloc(96 * 1024 * 1024, ' '));
    const { url, abandoned } = await listenWith(500, { 'content-encoding': 'gzip' }, bomb);
    const before = process.memoryUsage();
    assert.equal((await failure(client().getJson(request(url)))).kind, 'bad_answer');
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    const growth = arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed;
    assert.ok(growth < 48 * 1024 * 1024, `${growth} bytes more`);
    await abandoned();
  });
});
