import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { describe, it } from 'node:test';
import { noInstruments } from '../../src/process/instruments.js';
import { UpstreamError } from '../../src/errors.js';
import type { Breakers } from '../../src/upstream/breakers.js';
import { createGuard } from '../../src/upstream/guard.js';
import { createReports } from '../../src/upstream/reports.js';
import { memoryBreakers } from '../support/breakers.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';

const NAME = 'some-upstream';
const { signal } = new AbortController();
setMaxListeners(0, signal);
const down = () => Promise.reject(new UpstreamError(NAME, 'unavailable', 'server error'));
const up = () => Promise.resolve('answer');

function setUp(concurrency = 2, replaced: Partial<Breakers> = {}) {
  const clock = manualClock();
  const breakers = { ...memoryBreakers(clock), ...replaced };
  const { log, records } = recordingLog();
  const reports = createReports(log);
  const guard = createGuard({
    name: NAME,
    breakers,
    reports,
    concurrency,
    clock,
    log,
    instruments: noInstruments,
  });
  const events = () => records.map((record) => record['event']);
  return { clock, breakers, reports, guard, records, events };
}

async function open(guard: ReturnType<typeof setUp>['guard']) {
  for (let call = 0; call < 3; call += 1) await assert.rejects(guard(signal, down));
}

/** A call that is under way until it is told how to end. */
function pending() {
  const { promise, resolve, reject } = withResolvers();
  let started = false;
  const call = () => {
    started = true;
    return promise;
  };
  return { call, resolve, reject, hasStarted: () => started };
}

function withResolvers() {
  let resolve!: (value: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets everything run that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

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
    await assert.rejects(refused, { kind: 'unavailable', retryAfterMs: 5000 });
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

  it('lets one probe through, whose success closes it', async () => {
    const { guard, clock, records, events } = setUp();
    await open(guard);
    clock.advance(5000);
    const probe = pending();
    const probing = guard(signal, probe.call);
    await settle();
    await assert.rejects(guard(signal, up), { kind: 'unavailable' });
    probe.resolve('back');
    assert.equal(await probing, 'back');
    assert.equal(await guard(signal, up), 'answer');
    assert.equal(events().at(-1), 'breaker_closed');
    assert.equal(records.at(-1)?.['level'], 30);
  });

  it('opens at once for a quota, until its window ends', async () => {
    const { guard, clock, records } = setUp();
    const error = new UpstreamError(NAME, 'quota', 'used up', { retryAfterMs: 3_600_000 });
    await assert.rejects(guard(signal, () => Promise.reject(error)));
    assert.equal(records.at(-1)?.['retry_after_ms'], 3_600_000);
    clock.advance(3_599_999);
    await assert.rejects(guard(signal, up), { retryAfterMs: 1 });
    clock.advance(1);
    assert.equal(await guard(signal, up), 'answer');
  });

  it('does not count a caller who gives up as a failure', async () => {
    const { guard, records } = setUp(5);
    for (let call = 0; call < 5; call += 1) {
      const controller = new AbortController();
      const work = pending();
      const calling = guard(controller.signal, work.call);
      await settle();
      const reason = new Error('gone');
      controller.abort(reason);
      work.reject(reason);
      await assert.rejects(calling, (error) => error === reason);
    }
    assert.equal(await guard(signal, up), 'answer');
    assert.deepEqual(records, []);
  });

  it('lets the next probe through when the caller of the first gives up', async () => {
    const { guard, clock } = setUp();
    await open(guard);
    clock.advance(5000);
    const controller = new AbortController();
    const probe = pending();
    const probing = guard(controller.signal, probe.call);
    await settle();
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
  it('makes calls wait, and does not count the wait as a failure', async () => {
    const { guard } = setUp(2);
    const calls = [pending(), pending(), pending()] as const;
    const running = calls.map(({ call }) => guard(signal, call));
    await settle();
    assert.deepEqual(
      calls.map((call) => call.hasStarted()),
      [true, true, false],
    );
    calls[0].reject(new UpstreamError(NAME, 'bad_answer', 'no'));
    await assert.rejects(running[0]!);
    await settle();
    assert.equal(calls[2].hasStarted(), true);
    calls[1].resolve('b');
    calls[2].resolve('c');
    assert.deepEqual(await Promise.all(running.slice(1)), ['b', 'c']);
  });

  it('refuses no call, however many wait', async () => {
    const { guard, records } = setUp(1);
    const first = pending();
    const waiting = Array.from({ length: 200 }, () => guard(signal, first.call));
    await settle();
    first.resolve('done');
    assert.equal((await Promise.all(waiting)).length, 200);
    assert.deepEqual(records, []);
  });

  it('makes no call that was waiting when the breaker opened', async () => {
    const { guard, breakers, clock } = setUp(1);
    const first = pending();
    const running = guard(signal, first.call);
    await settle();
    const late = pending();
    const waiting = guard(signal, late.call);
    await settle();
    for (let failure = 0; failure < 3; failure += 1) await breakers.failed(NAME, {});
    first.resolve('done');
    assert.equal(await running, 'done');
    await assert.rejects(waiting, { kind: 'unavailable', retryAfterMs: 5000 });
    assert.equal(late.hasStarted(), false);
    // And its slot is free again.
    clock.advance(5000);
    assert.equal(await guard(signal, up), 'answer');
  });

  it('does not hold the only probe while it waits in line', async () => {
    const { guard, clock, breakers } = setUp(1);
    const slow = pending();
    const running = guard(signal, slow.call);
    await settle();
    for (let failure = 0; failure < 3; failure += 1) await breakers.failed(NAME, {});
    clock.advance(5000);
    const waiting = guard(signal, up);
    await settle();
    assert.deepEqual(await breakers.acquire(NAME), { allowed: true, probe: true });
    await breakers.abandoned(NAME);
    slow.resolve('slow');
    assert.equal(await running, 'slow');
    assert.equal(await waiting, 'answer');
  });

  it('ends the waiting of a caller who gives up', async () => {
    const { guard } = setUp(1);
    const first = pending();
    const running = guard(signal, first.call);
    await settle();
    const controller = new AbortController();
    const waiting = guard(controller.signal, up);
    await settle();
    const reason = new Error('gone');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    first.resolve('done');
    assert.equal(await running, 'done');
    assert.equal(await guard(signal, up), 'answer');
  });
});

describe('a report to the breaker', () => {
  const never = () => new Promise<never>(() => undefined);

  it('of a success does not delay the answer', async () => {
    const { guard, records } = setUp(1, { succeeded: never });
    assert.equal(await guard(signal, up), 'answer');
    assert.equal(await guard(signal, up), 'answer');
    assert.deepEqual(records, []);
  });

  it('of a failure is taken before the failure is told', async () => {
    let taken!: () => void;
    const failed = () =>
      new Promise<undefined>((resolve) => {
        taken = () => {
          resolve(undefined);
        };
      });
    const { guard } = setUp(1, { failed });
    let told = false;
    const failing = guard(signal, down).catch(() => (told = true));
    await settle();
    assert.equal(told, false);
    taken();
    await failing;
    assert.equal(told, true);
  });

  it('can be waited for', async () => {
    let taken!: () => void;
    const succeeded = () =>
      new Promise<'closed'>(
        (resolve) =>
          (taken = () => {
            resolve('closed');
          }),
      );
    const { guard, reports, events } = setUp(1, { succeeded });
    await guard(signal, up);
    let settled = false;
    const waiting = reports.settled().then(() => (settled = true));
    await settle();
    assert.deepEqual([settled, events()], [false, []]);
    taken();
    await waiting;
    assert.deepEqual(events(), ['breaker_closed']);
  });

  it('is logged when it fails, and nothing else happens', async () => {
    const fault = () => Promise.reject(new Error('WRONGTYPE'));
    const { guard, reports, records } = setUp(1, { succeeded: fault });
    assert.equal(await guard(signal, up), 'answer');
    await reports.settled();
    assert.deepEqual(
      records.map(({ level, event }) => [level, event]),
      [[50, 'breaker_report_failed']],
    );
  });
});
