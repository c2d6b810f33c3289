import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../src/errors.js';
import type { CallBudgets } from '../../src/upstream/budgets.js';
import { createGuard, type Guarding } from '../../src/upstream/guard.js';
import { turn } from '../support/eventually.js';
import { guardingOf } from '../support/guarding.js';
import { manualClock } from '../support/manual-clock.js';

const NAME = 'some-upstream';
const { signal } = new AbortController();
setMaxListeners(0, signal);
const down = () => Promise.reject(new UpstreamError(NAME, 'unavailable', 'server error'));
const up = () => Promise.resolve('answer');

function setUp(concurrency = 2, more: Partial<Guarding> = {}) {
  const clock = manualClock();
  const { guarding, breakerOf, records } = guardingOf(clock, undefined, { concurrency, ...more });
  const guarded = createGuard(NAME, guarding);
  const guard = <T>(
    given: AbortSignal,
    call: () => Promise<T>,
    instead: () => Promise<T | undefined> = () => Promise.resolve(undefined),
  ) => guarded({ signal: given, call, instead });
  const events = () => records.map((record) => record['event']);
  return { clock, breaker: breakerOf(NAME), guard, records, events };
}

async function open(guard: ReturnType<typeof setUp>['guard']) {
  for (let call = 0; call < 3; call += 1) await assert.rejects(guard(signal, down));
}

/** A call that is under way until it is told how to end. */
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

describe('the breaker', () => {
  it('gives the answer and writes nothing while all is well', async () => {
    const { guard, records } = setUp();
    assert.equal(await guard(signal, up), 'answer');
    assert.deepEqual(records, []);
  });

  it('stops calls after three failures and says so once', async () => {
    const { guard, records, events } = setUp();
    await open(guard);
    let called = false;
    const refused = guard(signal, () => {
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
      kind: 'unavailable',
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

  it('lets one probe through, and the next when the caller of the first gives up', async () => {
    const { guard, clock } = setUp();
    await open(guard);
    clock.advance(5000);
    const controller = new AbortController();
    const probe = pending();
    const probing = guard(controller.signal, probe.call);
    await turn();
    await assert.rejects(guard(signal, up), { kind: 'unavailable' });
    controller.abort();
    probe.reject(new Error('gone'));
    await assert.rejects(probing);
    assert.equal(await guard(signal, up), 'answer');
  });

  it('takes a fault of an adapter for a bad answer and shows where it was', async () => {
    const { guard, records } = setUp();
    const fault = () => Promise.reject(new TypeError('cannot read properties of undefined'));
    await assert.rejects(guard(signal, fault), { name: 'UpstreamError', kind: 'bad_answer' });
    assert.equal(records[0]?.['event'], 'upstream_failed');
    assert.equal(typeof records[0]['err'], 'object');
  });
});

describe('the concurrency limit', () => {
  it('makes no call that was waiting when the breaker opened', async () => {
    const { guard, breaker, clock } = setUp(1);
    const first = pending();
    const running = guard(signal, first.call);
    await turn();
    const late = pending();
    const waiting = guard(signal, late.call);
    await turn();
    for (let failure = 0; failure < 3; failure += 1) breaker.failed('server error');
    first.resolve('done');
    assert.equal(await running, 'done');
    await assert.rejects(waiting, { kind: 'unavailable', retryAfterMs: 5000 });
    assert.equal(late.hasStarted(), false);
    // And its slot is free again.
    clock.advance(5000);
    assert.equal(await guard(signal, up), 'answer');
  });

  it('does not hold the only probe while it waits in line', async () => {
    const { guard, clock, breaker } = setUp(1);
    const slow = pending();
    const running = guard(signal, slow.call);
    await turn();
    for (let failure = 0; failure < 3; failure += 1) breaker.failed('server error');
    clock.advance(5000);
    const waiting = guard(signal, up);
    await turn();
    assert.deepEqual([breaker.refusesMs(), breaker.begin()], [0, true]);
    breaker.probeEnded();
    slow.resolve('slow');
    assert.equal(await running, 'slow');
    assert.equal(await waiting, 'answer');
  });

  it('ends the waiting of a caller who gives up', async () => {
    const { guard } = setUp(1);
    const first = pending();
    const running = guard(signal, first.call);
    await turn();
    const controller = new AbortController();
    const waiting = guard(controller.signal, up);
    await turn();
    const reason = new Error('gone');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    first.resolve('done');
    assert.equal(await running, 'done');
    assert.equal(await guard(signal, up), 'answer');
  });
});

describe('the end of the process', () => {
  it('makes no failure of the calls that it cuts off', async () => {
    const ending = new AbortController();
    const { guard, breaker, records } = setUp(9, { ending: ending.signal });
    const calls = Array.from({ length: 4 }, () => pending());
    const running = calls.map(({ call }) => guard(signal, call));
    await turn();
    const reason = new Error('The process ends');
    ending.abort(reason);
    for (const { reject } of calls) reject(new UpstreamError(NAME, 'unavailable', 'cut off'));
    for (const each of running) await assert.rejects(each, (error) => error === reason);
    assert.deepEqual([breaker.refusesMs(), records], [0, []]);
  });
});

describe('an answer that came while a call waited', () => {
  it('makes the call needless: it is neither counted nor a success of the upstream', async () => {
    const taken: string[] = [];
    const budgets = budgetsThat(() => ({ waitMs: 0, quotaMs: 0 }), taken);
    const { guard } = setUp(1, { budgets });
    const first = pending();
    const running = guard(signal, first.call);
    await turn();
    const second = pending();
    const waiting = guard(signal, second.call, () => Promise.resolve('kept'));
    await turn();
    first.resolve('first');
    assert.deepEqual(await Promise.all([running, waiting]), ['first', 'kept']);
    assert.deepEqual([second.hasStarted(), taken], [false, [NAME]]);
    assert.equal(await guard(signal, up), 'answer', 'its slot is free again');
  });

  it('is not looked for when the call did not wait', async () => {
    const look = () => assert.fail('looked for');
    assert.equal(await setUp().guard(signal, up, look), 'answer');
  });
});

function budgetsThat(take: () => { waitMs: number; quotaMs: number }, taken: string[] = []) {
  const used: [string, number][] = [];
  const budgets: CallBudgets = {
    take(upstream) {
      taken.push(upstream);
      return Promise.resolve(take());
    },
    quotaUsedUp(upstream, lastsMs) {
      used.push([upstream, lastsMs]);
      return Promise.resolve();
    },
    state: () => Promise.resolve([]),
  };
  return Object.assign(budgets, { used });
}

describe('a quota', () => {
  it('is told to the other processes, and nothing else is', async () => {
    const budgets = budgetsThat(() => ({ waitMs: 0, quotaMs: 0 }));
    const { guard } = setUp(2, { budgets });
    const options = { retryAfterMs: 3_600_000 };
    await assert.rejects(guard(signal, down));
    for (const kind of ['unavailable', 'quota'] as const) {
      const error = new UpstreamError(NAME, kind, 'busy', options);
      await assert.rejects(setUp(2, { budgets }).guard(signal, () => Promise.reject(error)));
    }
    assert.deepEqual(budgets.used, [[NAME, 3_600_000]]);
  });

  it('that another process told opens the breaker here: nobody asks until it ends', async () => {
    let quotaMs = 60_000;
    const taken: string[] = [];
    const budgets = budgetsThat(() => ({ waitMs: 0, quotaMs }), taken);
    const { guard, clock, records } = setUp(2, { budgets });
    for (const message of [
      'quota used up',
      ...Array<string>(2).fill('breaker open (quota used up)'),
    ]) {
      await assert.rejects(guard(signal, up), {
        kind: 'unavailable',
        message: `${NAME}: ${message}`,
        retryAfterMs: 60_000,
      });
    }
    assert.equal(taken.length, 1);
    const opened = { event: 'breaker_open', provider: NAME, reason: 'quota' };
    const detail = 'told by another process';
    assert.deepEqual(records, [{ level: 30, ...opened, detail, retry_after_ms: 60_000 }]);
    clock.advance(60_000);
    quotaMs = 0;
    assert.equal(await guard(signal, up), 'answer');
  });

  it('or a budget that refuses the probe leaves room for the next one', async () => {
    let waitMs = 10;
    const { guard, clock, breaker } = setUp(2, {
      budgets: budgetsThat(() => ({ waitMs, quotaMs: 0 })),
    });
    for (let failure = 0; failure < 3; failure += 1) breaker.failed('server error');
    clock.advance(5000);
    await assert.rejects(guard(signal, up), { kind: 'over_budget', retryAfterMs: 10 });
    waitMs = 0;
    assert.equal(await guard(signal, up), 'answer');
  });
});
