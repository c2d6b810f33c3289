import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Redis } from 'ioredis';
import { LateReplyError } from '../../../src/errors.js';
import { createWaits } from '../../../src/redis/client/waits.js';
import { createTurns } from '../../../src/redis/turn.js';

/** Waits on a connection that the test plays, with timers and a clock that the test moves. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  // Those of the runner never end on Node.js 24 and later, when an immediate ends the interval that asked for it.
  const immediates: (() => void)[] = [];
  t.mock.method(globalThis, 'setImmediate', (callback: () => void) => immediates.push(callback));
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const socket = {
    holds: 0,
    writes: 0,
    cork: () => (socket.holds += 1),
    uncork: () => (socket.holds -= 1) || (socket.writes += 1),
  };
  const atEndOfTurn = createTurns();
  const connection = { status: 'ready', stream: socket } as unknown as Redis;
  let late = 0;
  const waits = createWaits({
    connection: () => connection,
    atEndOfTurn,
    onLate: () => (late += 1),
    onEnd: () => undefined,
  });
  /** Turns of the timer, each after so long. */
  function ticks(count: number, tookMs = 10): void {
    for (let n = 0; n < count; n += 1) {
      now += tookMs;
      t.mock.timers.tick(10);
      while (immediates.length > 0) immediates.shift()?.();
    }
  }
  return { waits, socket, atEndOfTurn, ticks, late: () => late };
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

  it('is reported when it has lasted for 100 ms, once', (t) => {
    const { waits, ticks, late } = setUp(t);
    waits.send(never, { storeMs: 250 }).catch(() => undefined);
    ticks(9);
    assert.equal(late(), 0);
    ticks(1);
    assert.equal(late(), 1);
    ticks(20);
    assert.equal(late(), 1);
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
    ticks(24, 500);
    assert.deepEqual([scope.storeMs, await stateOf(waited)], [10, 'waits']);
    ticks(1, 500);
    assert.ok((await stateOf(waited)) instanceof LateReplyError);
  });
});

describe('commands of one turn of the event loop', () => {
  it('go out in one write, with those that are sent at its end', async (t) => {
    const { waits, socket, atEndOfTurn, ticks } = setUp(t);
    const send = () => void waits.send(never, { storeMs: 1000 }).catch(() => undefined);
    for (const writes of [1, 2]) {
      send();
      send();
      atEndOfTurn(send);
      ticks(1);
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
      assert.deepEqual([socket.holds, socket.writes], [0, writes]);
    }
  });

  it('are held from the first on', (t) => {
    const { waits, socket } = setUp(t);
    waits.send(never, { storeMs: 1000 }).catch(() => undefined);
    assert.equal(socket.holds, 1);
  });
});
