import assert from 'node:assert/strict';
import { type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  client,
  closeAfterEach,
  failure,
  listen,
  listenWith,
  request,
} from './client-under-test.js';

closeAfterEach();

describe('a response that takes too long or is too large', { timeout: 60_000 }, () => {
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
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, ' '));
    const { url, abandoned } = await listenWith(500, { 'content-encoding': 'gzip' }, bomb);
    const before = process.memoryUsage();
    assert.equal((await failure(client().getJson(request(url)))).kind, 'bad_answer');
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    const growth = arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed;
    assert.ok(growth < 48 * 1024 * 1024, `${growth} bytes more`);
    await abandoned();
  });
});
