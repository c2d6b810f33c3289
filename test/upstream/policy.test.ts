import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import { describe, it } from 'node:test';
import type { CircuitBreaker } from '../../src/base/circuit-breaker.js';
import { UpstreamError } from '../../src/weather/errors.js';
import { noInstruments } from '../../src/base/instruments.js';
import type { CallBudgets } from '../../src/upstream/call-budgets.js';
import { createCallPolicy, type PolicyOptions } from '../../src/upstream/policy.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { nextIteration } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';

const NAME = 'some-upstream';
const { signal } = new AbortController();
setMaxListeners(0, signal);
const down = () => Promise.reject(new UpstreamError(NAME, 'unavailable', 'server error'));
const up = () => Promise.resolve('answer');

function setUp(concurrency = 2, more: Partial<PolicyOptions> = {}) {
  const clock = manualClock();
  const { options, breakerOf, records } = policyOptionsOf(clock, undefined, {
    concurrency,
    ...more,
  });
  const policy = createCallPolicy(NAME, options);
  const run = <T>(given: AbortSignal, call: () => Promise<T>) => policy({ signal: given, call });
  const events = () => records.map((record) => record['event']);
  return { clock, breaker: breakerOf(NAME), run, records, events };
}

async function open(run: ReturnType<typeof setUp>['run']) {
  for (let call = 0; call < 3; call += 1) await assert.rejects(run(signal, down));
}

async function fail(breaker: CircuitBreaker): Promise<void> {
  const call = () => Promise.reject(new Error('server error'));
  const judge = () => ({ kind: 'failure', reason: 'server error' }) as const;
  for (let failure = 0; failure < 3; failure += 1) {
    await assert.rejects(breaker.execute(call, judge));
  }
}

/** A call that is in flight until the test ends it. */
function pending() {
  let resolve!: (value: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((...ends) => ([resolve, reject] = ends));
  let started = false;
  const call = () => {
    started = true;
    return promise;
  };
  return { call, resolve, reject, hasStarted: () => started };
}

/** Starts a call that takes the only slot until `end`. */
async function occupy(run: ReturnType<typeof setUp>['run']) {
  const { call, resolve } = pending();
  const running = run(signal, call);
  await nextIteration();
  return {
    running,
    end: () => {
      resolve('done');
    },
  };
}

describe('the circuit breaker of an upstream service', () => {
  it('rejects calls after three failures, and logs that once', async () => {
    const { run, records, events } = setUp();
    await open(run);
    let called = false;
    const refused = run(signal, () => {
      called = true;
      return up();
    });
    await assert.rejects(refused, {
      kind: 'unavailable',
      message: 'some-upstream: breaker open (server error)',
      retryAfterMs: 5000,
    });
    assert.equal(called, false);
    assert.deepEqual(events(), [
      ...['upstream_failed', 'upstream_failed', 'upstream_failed'],
      'breaker_open',
    ]);
    assert.deepEqual(records[0], {
      level: 40,
      event: 'upstream_failed',
      provider: NAME,
      failure: 'unavailable',
      reason: 'some-upstream: server error',
    });
    assert.deepEqual(records[3], {
      level: 40,
      event: 'breaker_open',
      provider: NAME,
      reason: 'unavailable',
      retry_after_ms: 5000,
    });
  });

  it('allows one half-open call, and another one if the caller of the first aborts it', async () => {
    const { run, clock } = setUp();
    await open(run);
    clock.advance(5000);
    const controller = new AbortController();
    const halfOpen = pending();
    const calling = run(controller.signal, halfOpen.call);
    await nextIteration();
    await assert.rejects(run(signal, up), { kind: 'unavailable' });
    controller.abort();
    halfOpen.reject(new Error('gone'));
    await assert.rejects(calling);
    assert.equal(await run(signal, up), 'answer');
  });

  it('stays closed after exceptions of an adapter, which are errors with a stack', async () => {
    const { run, breaker, records } = setUp();
    for (const fault of [new TypeError('not a function'), new RangeError('Invalid time'), 'text']) {
      const failed = run(signal, () => Promise.reject(fault as Error));
      await assert.rejects(failed, { name: 'UpstreamError', kind: 'adapter_fault', cause: fault });
    }
    assert.equal(breaker.isClosed, true);
    assert.deepEqual(
      records.map(({ level, event, err }) => [level, event, typeof err]),
      records.map(() => [50, 'upstream_failed', 'object']),
    );
    assert.equal(records.length, 3);
  });
});

describe('a response without good data for a point', () => {
  const empty = () => Promise.reject(new UpstreamError(NAME, 'no_data', 'no plausible humidity'));

  it('is logged and counted, and changes no circuit breaker', async () => {
    const outcomes: unknown[] = [];
    const instruments = {
      ...noInstruments,
      upstreamCalled: (...call: unknown[]) => void outcomes.push([call[0], call[1]]),
    };
    const { run, breaker, records } = setUp(2, { instruments });
    for (let call = 0; call < 9; call += 1) {
      await assert.rejects(run(signal, empty), { kind: 'no_data' });
    }
    assert.equal(breaker.isClosed, true);
    assert.equal(records.length, 9);
    assert.deepEqual(records[0], {
      ...{ level: 40, event: 'upstream_failed', provider: NAME, failure: 'no_data' },
      reason: `${NAME}: no plausible humidity`,
    });
    assert.deepEqual(outcomes[0], [NAME, 'no_data']);
  });

  it('neither interrupts the failures of the upstream, nor ends them', async () => {
    const { run, breaker, clock } = setUp();
    for (const call of [down, empty, down, empty]) await assert.rejects(run(signal, call));
    assert.equal(breaker.isClosed, true);
    await assert.rejects(run(signal, down));
    assert.equal(breaker.isClosed, false);
    clock.advance(5000);
    await assert.rejects(run(signal, empty), { kind: 'no_data' });
    assert.equal(breaker.isClosed, false);
    assert.equal(await run(signal, up), 'answer');
    assert.equal(breaker.isClosed, true);
  });
});

describe('the concurrency limit', () => {
  it('makes no call that was waiting when the breaker opened', async () => {
    const { run, breaker, clock } = setUp(1);
    const { running, end } = await occupy(run);
    const late = pending();
    const waiting = run(signal, late.call);
    await nextIteration();
    await fail(breaker);
    // A new call does not wait for the slot.
    await assert.rejects(run(signal, up), { kind: 'unavailable' });
    end();
    await running;
    await assert.rejects(waiting, { kind: 'unavailable', retryAfterMs: 5000 });
    assert.equal(late.hasStarted(), false);
    // Its slot is free again.
    clock.advance(5000);
    assert.equal(await run(signal, up), 'answer');
  });

  it('ends the wait of a caller who aborts the call', async () => {
    const { run } = setUp(1);
    const { end } = await occupy(run);
    const controller = new AbortController();
    const waiting = run(controller.signal, up);
    await nextIteration();
    const reason = new Error('gone');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    end();
    assert.equal(await run(signal, up), 'answer');
    // Each call has released one slot, and leaves no listener on its signal.
    const last = await occupy(run);
    const late = pending();
    const own = new AbortController().signal;
    const after = run(own, late.call);
    for (let iteration = 0; iteration < 5; iteration += 1) await nextIteration();
    assert.equal(late.hasStarted(), false);
    last.end();
    late.resolve('late');
    assert.equal(await after, 'late');
    assert.equal(getEventListeners(own, 'abort').length, 0);
  });

  it('ends the wait of a caller after the time limit, and starts no call for it', async () => {
    const { run, breaker } = setUp(1, { queuedMs: 20 });
    const { end } = await occupy(run);
    const late = pending();
    const refused = { name: 'ServiceUnavailableError', message: /^Too many fetches are waiting/ };
    await assert.rejects(run(signal, late.call), refused);
    end();
    assert.equal(await run(signal, up), 'answer');
    assert.equal(late.hasStarted(), false);
    assert.equal(breaker.lastSucceeded, true);
  });
});

describe('the end of the process', () => {
  it('aborts calls without a failure', async () => {
    const ending = new AbortController();
    const { run, breaker, records } = setUp(9, { ending: ending.signal });
    const calls = Array.from({ length: 4 }, () => pending());
    const running = calls.map(({ call }) => run(signal, call));
    await nextIteration();
    const reason = new Error('The process ends');
    ending.abort(reason);
    for (const { reject } of calls) reject(new UpstreamError(NAME, 'unavailable', 'cut off'));
    for (const each of running) await assert.rejects(each, (error) => error === reason);
    assert.deepEqual([breaker.rejectsForMs(), records], [0, []]);
  });
});

describe('a quota', () => {
  const failWith = (kind: UpstreamError['kind'], retryAfterMs?: number) => () =>
    Promise.reject(new UpstreamError(NAME, kind, 'busy', { retryAfterMs }));

  it('opens the circuit breaker at once, until its window ends', async () => {
    const { run, clock, breaker, records } = setUp();
    await assert.rejects(run(signal, failWith('quota', 3_600_000)));
    const { event, reason, retry_after_ms } = records.at(-1)!;
    assert.deepEqual([event, reason, retry_after_ms], ['breaker_open', 'quota', 3_600_000]);
    clock.advance(3_599_999);
    await assert.rejects(run(signal, up), { message: `${NAME}: breaker open (busy)` });
    clock.advance(1);
    assert.equal(await run(signal, up), 'answer');
    assert.equal(breaker.isClosed, true);
    assert.equal(records.at(-1)!['event'], 'breaker_closed');
  });

  it('is the only failure that sets an open time', async () => {
    const { run, breaker } = setUp();
    const fails = failWith('unavailable', 3_600_000);
    for (let failure = 0; failure < 3; failure += 1) await assert.rejects(run(signal, fails));
    assert.equal(breaker.rejectsForMs(), 5000);
  });
});

describe('a budget', () => {
  it('that rejects the half-open call does not prevent the next half-open call', async () => {
    let waitMs = 10;
    const budgets: CallBudgets = {
      take: () => Promise.resolve(waitMs),
      isUsedUp: () => false,
      state: () => Promise.resolve([]),
    };
    const { run, clock, records, breaker } = setUp(2, { budgets });
    await fail(breaker);
    clock.advance(5000);
    await assert.rejects(run(signal, up), { kind: 'over_budget', retryAfterMs: 10 });
    assert.deepEqual(records, []);
    waitMs = 0;
    assert.equal(await run(signal, up), 'answer');
  });
});
