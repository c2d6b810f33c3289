import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '../../../src/errors.js';
import { createReplies, GivenUpError } from '../../../src/redis/client/replies.js';
import { StoreTime, type Scope } from '../../../src/weather/scope.js';

function setUp() {
  let now = 0;
  const wire = { read: 0, unanswered: 1 };
  const told: string[] = [];
  const replies = createReplies({
    clock: { now: () => now, awakeSince: 0, wake: () => undefined, stop: () => undefined },
    wire: {
      bytesRead: () => wire.read,
      unanswered: () => wire.unanswered,
      batch: () => undefined,
      destroy: () => undefined,
    },
    onSilent: (forMs) => void told.push(`silent ${forMs}`),
    onEnd: (tookMs) => void told.push(`end ${tookMs}`),
    failed: (error) => new StoreUnavailableError('failed', { cause: error }),
  });
  /** Passes time in ticks, as the clock would. */
  function pass(ms: number): void {
    for (const end = now + ms; now < end;) {
      now += 10;
      if (replies.isDue()) replies.judge();
    }
  }
  return { replies, wire, told, pass, now: () => now };
}

const scopeOf = (limitMs: number): Scope => ({
  signal: new AbortController().signal,
  deadline: Infinity,
  storeTime: new StoreTime(limitMs),
  trace: { traceId: undefined },
});
const never = () => new Promise<never>(() => undefined);
/** The state of a promise now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return await Promise.race([
    promise.catch((error: unknown) => error),
    new Promise((resolve) => {
      setImmediate(resolve, 'waits');
    }),
  ]);
}

describe('waiting for replies', () => {
  it('is given up when the time is up, and not before; the node is not silent by that', async () => {
    const { replies, told, pass } = setUp();
    const waited = replies.within(never(), 120);
    pass(110);
    assert.equal(await stateOf(waited), 'waits');
    pass(10);
    assert.ok((await stateOf(waited)) instanceof GivenUpError);
    assert.deepEqual(told, ['end 120']);
  });

  it('ends for all when the node sent nothing for 200 ms', async () => {
    const { replies, told, pass } = setUp();
    pass(20);
    const waits = [replies.within(never(), 1000), replies.within(never(), 1000)];
    pass(170);
    assert.deepEqual(told, []);
    pass(10);
    assert.deepEqual(told, ['silent 200', 'end 180', 'end 180']);
    for (const wait of waits) assert.ok((await stateOf(wait)) instanceof GivenUpError);
    pass(10);
    assert.deepEqual(told, ['silent 200', 'end 180', 'end 180', 'silent 210']);
  });

  it('any byte is a sign of life, and so is that nothing is owed', () => {
    const { replies, wire, told, pass } = setUp();
    replies.within(never(), 10_000).catch(() => undefined);
    for (let n = 0; n < 10; n += 1) {
      pass(190);
      wire.read += 1;
      pass(10);
    }
    wire.unanswered = 0;
    pass(1000);
    assert.deepEqual(told, []);
  });

  it('charges waits that overlap once, and a wait without an answer in full', async () => {
    const { replies, wire, pass, now } = setUp();
    wire.unanswered = 0;
    const scope = scopeOf(125);
    let answer!: (value: string) => void;
    const first = replies.within(
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
      125,
      scope,
    );
    const second = replies.within(never(), 125, scope);
    pass(60);
    answer('reply');
    assert.equal(await first, 'reply');
    assert.equal(scope.storeTime.leftAt(now()), 65);
    pass(70);
    assert.ok((await stateOf(second)) instanceof GivenUpError);
    assert.ok(scope.storeTime.leftAt(now()) <= 5);
  });

  it('a reply that comes late changes nothing but the reply time', async () => {
    const { replies, wire, told, pass } = setUp();
    wire.unanswered = 0;
    const scope = scopeOf(50);
    let answer!: () => void;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const waited = replies.within(late, 50, scope);
    pass(150);
    assert.ok((await stateOf(waited)) instanceof GivenUpError);
    answer();
    await late;
    assert.deepEqual(told, ['end 50']);
    assert.equal(scope.storeTime.leftAt(1000), 0);
    assert.equal(replies.replyMs, 15);
  });

  it('a failed command is told as its store error', async () => {
    const { replies } = setUp();
    const cause = new Error('closed');
    await assert.rejects(replies.within(Promise.reject(cause), 100), { message: 'failed', cause });
  });
});
