import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { withTimeLimit } from '../../src/base/time-limit.js';
import { block } from '../support/block.js';

const late = () => new Error('too late');
const HOUR_MS = 3_600_000;
const never = () => new Promise<never>(() => undefined);

/** A server thread. It waits after a message, replies in two packets, and sets `workerData[0]`. */
const SLOW_SERVER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', () => {
    setTimeout(() => socket.write('first '), 10);
    setTimeout(() => socket.write('second', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    }), 100);
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

/** Blocks the event loop until the server has replied. @param end gets the text that has arrived */
async function askAndBlock(
  t: TestContext,
  { limitMs, busyMs }: { limitMs: number; busyMs: number },
  end: (text: string, resolve: (text: string) => void) => void,
): Promise<string> {
  const hasReplied = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(SLOW_SERVER, { eval: true, workerData: hasReplied });
  t.after(() => server.terminate());
  const [port] = (await once(server, 'message')) as [number];
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  let text = '';
  const replied = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      end(text, resolve);
    });
  });
  const work = withTimeLimit({ limitMs, late }, () => replied);
  socket.write('a question');
  await new Promise((resolve) => setImmediate(resolve));
  block(busyMs);
  assert.notEqual(Atomics.wait(hasReplied, 0, 0, 60_000), 'timed-out');
  return work;
}

describe('a process that was stopped or busy while it waited', () => {
  it('reads the reply that has arrived before it gives up', async (t) => {
    const reply = await askAndBlock(t, { limitMs: 500, busyMs: 510 }, (text, resolve) => {
      resolve(text);
    });
    assert.match(reply, /^first/);
  });

  it('waits for the end of the reply if it was busy for longer', async (t) => {
    const reply = await askAndBlock(t, { limitMs: 500, busyMs: 1000 }, (text, resolve) => {
      // The end of the reply arrives in a later event loop iteration.
      if (text.endsWith('second')) setTimeout(resolve, 20, text);
    });
    assert.equal(reply, 'first second');
  });

  it('gives up within about a second more, even if it was stopped for an hour', async (t) => {
    const stoppedAt = performance.now();
    const work = withTimeLimit({ limitMs: 1, late }, never);
    t.mock.method(performance, 'now', () => stoppedAt + HOUR_MS);
    await assert.rejects(work, { message: 'too late' });
  });
});

describe('a time limit', () => {
  it('throws its own error after the time, and aborts the work', async () => {
    let inner!: AbortSignal;
    const work = withTimeLimit({ limitMs: 1, late }, (signal) => {
      inner = signal;
      return never();
    });
    await assert.rejects(work, { message: 'too late' });
    assert.equal((inner.reason as Error).message, 'too late');
  });

  it("throws the reason of the caller's signal, and aborts the work", async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    let inner!: AbortSignal;
    const work = withTimeLimit({ signal: controller.signal, limitMs: HOUR_MS, late }, (signal) => {
      inner = signal;
      return never();
    });
    controller.abort(reason);
    await assert.rejects(work, (error) => error === reason);
    assert.equal(inner.reason, reason);
  });

  it('does not start the work if the caller has aborted', async () => {
    const reason = new Error('gone');
    let begun = false;
    const signal = AbortSignal.abort(reason);
    const work = withTimeLimit({ signal, limitMs: HOUR_MS, late }, () => {
      begun = true;
      return never();
    });
    await assert.rejects(work, (error) => error === reason);
    assert.equal(begun, false);
  });

  it('returns or throws what the work does, and leaves no listener and no timer behind', async () => {
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    const limit = { signal, limitMs: HOUR_MS, late };
    assert.equal(await withTimeLimit(limit, () => Promise.resolve(7)), 7);
    const fault = new Error('fault');
    const failing = withTimeLimit(limit, () => Promise.reject(fault));
    await assert.rejects(failing, (error) => error === fault);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    assert.equal(timers().length, before);
  });

  it('ignores a failure of work that was given up', async () => {
    const work = withTimeLimit(
      { limitMs: 1, late },
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            setImmediate(reject, new Error('ended by the signal'));
          });
        }),
    );
    await assert.rejects(work, { message: 'too late' });
    // An unhandled rejection would end this process.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

it('a deadline that has passed ends the work at once, without a warning of Node.js', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  await assert.rejects(withTimeLimit({ limitMs: -5, late }, never), /too late/);
  assert.deepEqual(warnings, []);
});
