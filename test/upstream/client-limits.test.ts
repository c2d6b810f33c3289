import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, failure, listen, listenWith, request } from './client-under-test.js';

describe('a response that takes too long or is too large', { timeout: 60_000 }, () => {
  const slow: [string, RequestListener][] = [
    ['no response', () => undefined],
    [
      'half a response',
      (_incoming, response) => {
        response.writeHead(200);
        response.write('{"value":');
      },
    ],
    [
      'half a compressed response',
      (_incoming, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.write(gzipSync('{"value":1}').subarray(0, 15));
      },
    ],
    [
      'a response byte by byte',
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
    it(`is ended at the deadline, with its connection: ${what}`, async () => {
      const { url, abandoned } = await listen(handler);
      const error = await failure(client({ timeoutMs: 200 }).getJson(request(url)));
      assert.equal(error.kind, 'unavailable');
      assert.match(error.message, /within 200 ms/);
      await abandoned();
    });

    it(`is ended with the reason of the caller who aborts it: ${what}`, async () => {
      const { url, abandoned, server } = await listen(handler);
      const controller = new AbortController();
      const reason = new Error('no longer wanted');
      const call = client().getJson(request(url, { signal: controller.signal }));
      call.catch(() => undefined);
      await once(server, 'request');
      await sleep(50);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
      await abandoned();
    });
  }

  it('is not requested if the caller has already aborted the call', async () => {
    let calls = 0;
    const { url } = await listen(() => (calls += 1));
    const reason = new Error('before');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(client().getJson(request(url, { signal })), (error) => error === reason);
    assert.equal(calls, 0);
  });

  it('leaves no listener on the signal of the caller', async () => {
    const { url } = await listen();
    const { signal } = new AbortController();
    const one = client();
    for (let call = 0; call < 20; call += 1) await one.getJson(request(url, { signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('may have exactly the maximum size, and not one byte more', async () => {
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
    it(`with status ${status} is cut at the maximum size`, async () => {
      let sent = 0;
      const piece = Buffer.alloc(65_536, ' ');
      const { url, abandoned } = await listen((_incoming, response) => {
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
      await abandoned();
      // 1 MiB, and what the socket buffers of both sides hold.
      assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`);
    });
  }

  it('that is a compression bomb is cut at the maximum size, in bounded memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const { url, abandoned } = await listenWith(200, { 'content-encoding': 'gzip' }, bomb);
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
    await abandoned();
  });
});
