import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Redis } from 'ioredis';
import { LateReplyError, StoreUnavailableError } from '../../../src/errors.js';
import { createWaits } from '../../../src/redis/client/waits.js';

/** Waits on a connection that the test plays, with timers and a clock that the test moves. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setImmediate'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const socket = {
    bytesRead: 0,
    corks: 0,
    cork: () => (socket.corks += 1),
    uncork: () => undefined,
    destroyed: 0,
    destroy: () => (socket.destroyed += 1),
  };
  const commandQueue = { length: 1 };
  const connection = { status: 'ready', stream: socket, commandQueue } as unknown as Redis;
  let silent = 0;
  const waits = createWaits({
    connection: () => connection,
    onSilent: () => (silent += 1),
    onEnd: () => undefined,
  });
  /** Turns of the timer, each after so long. The node is heard in each, unless it is to be silent. */
  function ticks(count: number, isHeard = true, tookMs = 10): void {
    for (let n = 0; n < count; n += 1) {
      if (isHeard) socket.bytesRead += 1;
      now += tookMs;
      t.mock.timers.tick(10);
      t.mock.timers.tick(0);
    }
  }
  return { waits, socket, commandQueue, ticks, silent: () => silent };
}

const never = () => new Promise<never>(() => undefined);
/** What came of a promise until now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.catch((error: unknown) => error);
  for (let n = 0; n < 5; n += 1) await Promise.resolve();
  return Promise.race([settled, Promise.resolve().then(() => Promise.resolve('waits'))]);
}

describe('a wait for a reply of Redis', () => {
  it('takes from the time of its request, and ends as late when nothing is left', async (t) => {
    const { waits, ticks } = setUp(t);
    const scope = { storeMs: 250 };
    const waited = waits.send(never, scope);
    ticks(24);
    assert.equal(await stateOf(waited), 'waits');
    assert.equal(scope.storeMs, 10);
    ticks(1);
    assert.ok((await stateOf(waited)) instanceof LateReplyError);
    ticks(10);
    assert.equal(scope.storeMs, 0, 'nobody waits any more');
  });

  it('leaves what is over to the next one of the same request', async (t) => {
    const { waits, ticks } = setUp(t);
    const scope = { storeMs: 250 };
    let answer!: (value: string) => void;
    const first = waits.send(() => new Promise<string>((resolve) => (answer = resolve)), scope);
    ticks(10);
    answer('reply');
    assert.equal(await first, 'reply');
    const second = waits.send(never, scope);
    ticks(14);
    assert.equal(await stateOf(second), 'waits');
    ticks(1);
    assert.ok((await stateOf(second)) instanceof LateReplyError);
  });

  it('ends for all when the node sends no byte for 20 ticks, and the connection after 100', async (t) => {
    const { waits, socket, ticks, silent } = setUp(t);
    const all = [waits.send(never, { storeMs: 900 }), waits.send(never, { storeMs: 900 })];
    ticks(19, false);
    assert.equal(silent(), 0);
    ticks(1, false);
    assert.equal(silent(), 1);
    for (const waited of all) {
      const error = await stateOf(waited);
      assert.ok(error instanceof StoreUnavailableError && !(error instanceof LateReplyError));
    }
    ticks(79, false);
    assert.equal(socket.destroyed, 0);
    ticks(1, false);
    assert.equal(socket.destroyed, 1);
  });

  it('goes on while any byte comes, or nothing is owed', (t) => {
    const { waits, socket, commandQueue, ticks, silent } = setUp(t);
    waits.send(never, { storeMs: 100_000 }).catch(() => undefined);
    for (let n = 0; n < 5; n += 1) {
      ticks(19, false);
      socket.bytesRead += 1;
    }
    commandQueue.length = 0;
    ticks(100, false);
    assert.equal(silent(), 0);
  });

  it('fails as its command does', async (t) => {
    const { waits } = setUp(t);
    const cause = new Error('closed');
    await assert.rejects(
      waits.send(() => Promise.reject(cause), { storeMs: 250 }),
      cause,
    );
  });
});

describe('a process that is short of processor time', () => {
  it('takes a late tick from the time of a request once', async (t) => {
    const { waits, ticks } = setUp(t);
    const scope = { storeMs: 250 };
    const waited = waits.send(never, scope);
    ticks(24, true, 500);
    assert.deepEqual([scope.storeMs, await stateOf(waited)], [10, 'waits']);
    ticks(1, true, 500);
    assert.ok((await stateOf(waited)) instanceof LateReplyError);
  });

  it('does not take its own lateness for silence', (t) => {
    const { waits, ticks, silent } = setUp(t);
    waits.send(never, { storeMs: 100_000 }).catch(() => undefined);
    ticks(19, false, 500);
    assert.equal(silent(), 0);
  });
});

describe('commands of one turn of the event loop', () => {
  it('go out in one write', (t) => {
    const { waits, socket, ticks } = setUp(t);
    for (let n = 0; n < 5; n += 1) waits.send(never, { storeMs: 10 }).catch(() => undefined);
    assert.equal(socket.corks, 1);
    ticks(1);
    waits.send(never, { storeMs: 10 }).catch(() => undefined);
    assert.equal(socket.corks, 2);
    ticks(1);
  });
});
