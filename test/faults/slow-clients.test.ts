import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { percentile, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';

/** Sends one piece of a request now and one byte of the rest each second; tells what comes back. */
function drip(replica: Service, begin: string): Promise<{ answer: string; ms: number }> {
  const started = performance.now();
  const socket = connect(Number(new URL(replica.url).port), '127.0.0.1');
  let answer = '';
  socket.write(begin);
  const timer = setInterval(() => {
    if (socket.writable) socket.write('a');
  }, 1000);
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      resolve({ answer, ms: performance.now() - started });
    });
  });
}

describe('clients that send a byte now and then', () => {
  it('are answered 408 and cut off; others do not notice', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 1 });
    const replica = stack.replicas[0]!;
    const load = startLoad(t, { clients: 2, next: () => stack.url(placePath(1)), pauseMs: 50 });
    const line = (method: string) => `${method} /api/v1/weather HTTP/1.1\r\nHost: x\r\n`;
    const type = 'Content-Type: application/json\r\n';
    const [headers, bodies] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => drip(replica, `${line('GET')}X-Slow: `))),
      Promise.all(
        Array.from({ length: 20 }, () =>
          drip(replica, `${line('POST')}${type}Content-Length: 5000\r\n\r\n{"city":"`),
        ),
      ),
    ]);
    for (const [replies, limitMs] of [
      [headers, 15_000],
      [bodies, 30_000],
    ] as const) {
      for (const { answer, ms } of replies) {
        assert.match(answer, /^HTTP\/1\.1 408 /);
        assert.match(answer, /"error":"Request timeout"/);
        assert.ok(ms > limitMs - 1000 && ms < limitMs + 10_000, `${ms} ms`);
      }
    }
    const replies = await load.stop();
    assert.ok(!Object.keys(tally(replies)).some((outcome) => !outcome.startsWith('200')));
    assert.ok(percentile(replies, 0.99) < 1000);
  });
});
