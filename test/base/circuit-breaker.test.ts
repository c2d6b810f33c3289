import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  createCircuitBreaker,
  type CircuitBreaker,
  type Judgment,
} from '../../src/base/circuit-breaker.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const POLICY = { failuresToOpen: 3, firstOpenMs: 5000, maxOpenMs: 30_000 };
const FAULT = 'server error';
const QUOTA = 'quota used up';

let clock: ManualClock;
let breaker: CircuitBreaker;
/** How often a call has opened or closed the breaker. */
let changes: number;
beforeEach(() => {
  clock = manualClock();
  breaker = createCircuitBreaker({ policy: POLICY, clock });
  changes = 0;
});

/** The error of a call, which says something about the other system. */
class Outcome extends Error {
  constructor(readonly judgment: Judgment) {
    super(judgment.kind);
  }
}
const failure = (reason = FAULT, namedMs?: number) =>
  new Outcome({ kind: 'failure', reason, namedMs });
const judge = (error: unknown) => (error as Outcome).judgment;

/** Begins a call that the test ends, with an error or without. */
function begin() {
  let end!: (error?: Error) => void;
  const work = new Promise<void>((resolve, reject) => {
    end = (error) => {
      if (error) reject(error);
      else resolve();
    };
  });
  const call = breaker.execute(
    () => work,
    judge,
    () => (changes += 1),
  );
  return async (error?: Error) => {
    end(error);
    if (error) await assert.rejects(call, error);
    else await call;
  };
}

const succeed = () => begin()();
const fail = (error = failure()) => begin()(error);

async function open(): Promise<void> {
  for (let call = 1; call <= 3; call += 1) await fail();
}

async function halfOpenCall(error?: Error): Promise<void> {
  assert.deepEqual([breaker.isClosed, breaker.rejectsForMs()], [false, 0]);
  await begin()(error);
}

describe('the circuit breaker', () => {
  it('makes all calls while fewer than three consecutive calls fail', async () => {
    await fail();
    await fail();
    await succeed();
    await fail();
    await fail();
    assert.deepEqual([breaker.isClosed, changes], [true, 0]);
    assert.equal(breaker.rejectsForMs(), 0);
  });

  it('opens at the third consecutive failure, and reports that once', async () => {
    await fail();
    await fail();
    const late = begin();
    await fail();
    await late(failure());
    assert.deepEqual([breaker.isClosed, changes], [false, 1]);
    assert.equal(breaker.rejectsForMs(), 5000);
  });

  it('makes one call at a time after the open time', async () => {
    await open();
    clock.advance(4999);
    assert.deepEqual([breaker.isClosed, breaker.rejectsForMs()], [false, 1]);
    clock.advance(1);
    const first = begin();
    clock.advance(60_000);
    assert.deepEqual([breaker.isClosed, breaker.rejectsForMs()], [false, 1000]);
    await assert.rejects(breaker.execute(() => Promise.resolve(), judge));
    await first(new Outcome({ kind: 'canceled' }));
    await halfOpenCall();
    assert.equal(breaker.isClosed, true);
  });

  it('closes when the half-open call succeeds, reports that, and counts failures from zero', async () => {
    await open();
    clock.advance(5000);
    await fail(failure('another fault'));
    assert.deepEqual([breaker.lastFailure, changes], ['another fault', 1]);
    clock.advance(10_000);
    await succeed();
    assert.deepEqual([breaker.isClosed, breaker.rejectsForMs(), changes], [true, 0, 2]);
    assert.equal(breaker.lastFailure, undefined);
    await open();
    assert.deepEqual([breaker.rejectsForMs(), changes], [5000, 3]);
  });

  it('takes an error that is a response of the other system for a success', async () => {
    await fail();
    await fail();
    await fail(new Outcome({ kind: 'success' }));
    await fail();
    await fail();
    assert.equal(breaker.isClosed, true);
  });

  it('opens again if the half-open call throws before it returns a promise', async () => {
    await open();
    clock.advance(5000);
    const fault = failure();
    const call = breaker.execute(() => {
      throw fault;
    }, judge);
    await assert.rejects(call, fault);
    assert.equal(breaker.rejectsForMs(), 10_000);
    clock.advance(10_000);
    await halfOpenCall();
    assert.equal(breaker.isClosed, true);
  });

  it('doubles the open time after each failed half-open call, up to the maximum', async () => {
    await open();
    for (const openMs of [5000, 10_000, 20_000, 30_000, 30_000]) {
      assert.equal(breaker.rejectsForMs(), openMs);
      clock.advance(openMs);
      await halfOpenCall(failure());
    }
  });

  it('opens at once, for the time that a failure names', async () => {
    await fail(failure(QUOTA, 3_600_000));
    clock.advance(3_599_999);
    assert.deepEqual([breaker.rejectsForMs(), changes], [1, 1]);
    clock.advance(1);
    await halfOpenCall(failure());
    assert.equal(breaker.rejectsForMs(), 5000, 'a named time does not count as an open time');
  });

  it('ignores outcomes of calls that started before it opened, also when it is closed again', async () => {
    const [failing, succeeding, later] = [begin(), begin(), begin()];
    await open();
    clock.advance(5000);
    await failing(failure('late'));
    await succeeding();
    assert.equal(breaker.lastFailure, FAULT);
    await halfOpenCall();
    await fail();
    await fail();
    await later(failure('late'));
    assert.equal(breaker.isClosed, true);
  });

  it('stays open for a longer time that a late failure names', async () => {
    const late = [60_000, 3_600_000, 1000].map((namedMs) => ({ end: begin(), namedMs }));
    await open();
    for (const { end, namedMs } of late) await end(failure(QUOTA, namedMs));
    assert.deepEqual([breaker.rejectsForMs(), breaker.lastFailure], [3_600_000, QUOTA]);
  });

  it('stays open if a late failure names a time while the half-open call is in flight', async () => {
    const late = begin();
    await open();
    clock.advance(5000);
    const halfOpen = begin();
    await late(failure(QUOTA, 60_000));
    clock.advance(59_999);
    await halfOpen();
    assert.equal(breaker.rejectsForMs(), 1);
  });

  it('stays open for the named time if the half-open call then fails, too', async () => {
    const late = begin();
    await open();
    clock.advance(5000);
    const halfOpen = begin();
    await late(failure(QUOTA, 3_600_000));
    await halfOpen(failure());
    assert.equal(breaker.rejectsForMs(), 3_600_000);
  });
});

describe('a circuit breaker that only checks close', () => {
  const create = () =>
    createCircuitBreaker({
      policy: { failuresToOpen: 1, firstOpenMs: Infinity, maxOpenMs: Infinity },
      clock,
      openedBy: 'not connected',
    });

  it('is open until the first check succeeds', () => {
    breaker = create();
    assert.deepEqual([breaker.rejectsForMs(), breaker.lastFailure], [Infinity, 'not connected']);
    breaker.open('no reply');
    assert.deepEqual([breaker.rejectsForMs(), breaker.lastFailure], [Infinity, 'no reply']);
    clock.advance(1e9);
    assert.equal(breaker.rejectsForMs(), Infinity);
    breaker.close();
    assert.deepEqual([breaker.isClosed, breaker.lastFailure], [true, undefined]);
  });

  it('opens with the first failure of a call or of a check', async () => {
    const failCheck = () => {
      breaker.open('no reply');
      return Promise.resolve();
    };
    for (const failing of [() => fail(), failCheck]) {
      breaker = create();
      breaker.close();
      await failing();
      assert.equal(breaker.isClosed, false);
      breaker.close();
      assert.equal(breaker.isClosed, true);
    }
  });

  it('stays closed after a late failure of a call from before a check closed it', async () => {
    breaker = create();
    breaker.close();
    const late = begin();
    await fail();
    breaker.close();
    await late(failure());
    assert.equal(breaker.isClosed, true);
  });
});
