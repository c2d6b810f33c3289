import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../src/errors.js';
import type { Budgets } from '../../src/upstream/call-budgets.js';
import { createFirstOf } from '../../src/upstream/first-of.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Point } from '../../src/weather/types.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { manualClock, systemClock } from '../support/manual-clock.js';

const WEATHER = { temperature: 1, condition: 'Fog', humidity: 50, wind_speed: 2 };
const POINT: Point = { latitude: 1, longitude: 2 };
const { signal } = new AbortController();

/** A provider that responds, or fails with this kind of error. */
function provider(
  name: string,
  more: Partial<WeatherProvider> & { fails?: UpstreamError['kind'] } = {},
): WeatherProvider & { calls: number } {
  const { fails, ...rest } = more;
  const made = {
    name,
    calls: 0,
    current() {
      made.calls += 1;
      return fails
        ? Promise.reject(new UpstreamError(name, fails, 'failed'))
        : Promise.resolve({ value: WEATHER });
    },
    ...rest,
  };
  return made;
}

function chainOf(
  providers: WeatherProvider[],
  limits: Record<string, number>,
  { windowSeconds = 1 } = {},
) {
  const budgets: Budgets = new Map(
    Object.entries(limits).map(([name, limit]) => [
      name,
      { name, windows: [{ limit, windowSeconds }] },
    ]),
  );
  const { options, records } = policyOptionsOf(systemClock, budgets);
  const firstOf = createFirstOf(providers, options);
  const fetch = (by = signal) => firstOf(({ current }) => current, POINT, { signal: by });
  const ask = async () => (await fetch()).provider;
  return { fetch, ask, records, events: () => records.map(({ event }) => event) };
}

describe('a provider whose budget is used up', { timeout: 60_000 }, () => {
  it('is skipped, without a failure and without its circuit breaker', async () => {
    const [first, second] = [provider('first'), provider('second')];
    const { ask, events } = chainOf([first, second], { first: 2 }, { windowSeconds: 60 });
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await ask());
    assert.deepEqual(answers, ['first', 'first', 'second', 'second', 'second']);
    assert.deepEqual([first.calls, second.calls], [2, 3]);
    assert.deepEqual(events(), ['provider_budget_spent']);
  });

  it('is waited for if no other provider responds', async () => {
    const [first, second] = [provider('first'), provider('second', { fails: 'unavailable' })];
    const { ask } = chainOf([first, second], { first: 2 });
    const answers = await Promise.all(Array.from({ length: 4 }, ask));
    assert.deepEqual(new Set(answers), new Set(['first']));
    assert.equal(first.calls, 4);
    assert.equal(second.calls, 2, 'a provider that has just failed is not called again');
  });

  it('is not waited for if it is available only in a minute', async () => {
    const first = provider('first');
    const failing = provider('second', { fails: 'quota' });
    const { ask } = chainOf([first, failing], { first: 1 }, { windowSeconds: 40 });
    await ask();
    await assert.rejects(ask(), {
      name: 'ServiceUnavailableError',
      retryAfterSeconds: 5,
      message: 'No weather provider gave an answer: first: budget spent; second: failed',
    });
    assert.equal(first.calls, 1);
  });

  it('ends the wait of a caller who aborts the call', async () => {
    const { fetch, ask } = chainOf([provider('first')], { first: 1 });
    await ask();
    const controller = new AbortController();
    const waiting = fetch(controller.signal);
    waiting.catch(() => undefined);
    const reason = new Error('gone');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(await ask(), 'first');
  });
});

describe('a budget that is used up', () => {
  it('is reported once, and once when it is available again', async () => {
    const clock = manualClock();
    const windows = [
      { limit: 2, windowSeconds: 60 },
      { limit: 6, windowSeconds: 3600 },
    ];
    const budget: Budgets = new Map([['first', { name: 'shared', windows }]]);
    const { options, records } = policyOptionsOf(clock, budget);
    const { budgets } = options;
    const take = async (times: number) => {
      for (let call = 0; call < times; call += 1) await budgets.take('first');
      return records.map(({ event }) => event);
    };
    const [spent, free] = ['provider_budget_spent', 'provider_budget_free'];
    assert.deepEqual([await take(2), budgets.isUsedUp('shared')], [[], false]);
    assert.deepEqual([await take(3), budgets.isUsedUp('shared')], [[spent], true]);
    // Two calls fit again, but the last call was refused only a moment ago.
    clock.advance(59_000);
    await take(1);
    clock.advance(1250);
    assert.deepEqual([await take(3), budgets.isUsedUp('shared')], [[spent], true]);
    clock.advance(60_250);
    assert.equal(budgets.isUsedUp('shared'), false);
    assert.deepEqual([await take(1), budgets.isUsedUp('shared')], [[spent, free], false]);
    assert.deepEqual(await take(2), [spent, free, spent]);
  });

  it('is not available before a call fits', async () => {
    const clock = manualClock();
    const windows = [
      { limit: 9, windowSeconds: 60 },
      { limit: 1, windowSeconds: 3600 },
    ];
    const { options } = policyOptionsOf(clock, new Map([['first', { name: 'first', windows }]]));
    await options.budgets.take('first');
    await options.budgets.take('first');
    clock.advance(3_600_000);
    assert.equal(options.budgets.isUsedUp('first'), true);
    clock.advance(250);
    assert.equal(options.budgets.isUsedUp('first'), false);
  });
});

describe('a provider that does not cover the place', () => {
  it('is not called, and without another provider the request fails with a time to retry', async () => {
    const far = provider('far', { covers: () => false });
    assert.equal(await chainOf([far, provider('second')], {}).ask(), 'second');
    assert.equal(far.calls, 0);
    await assert.rejects(chainOf([far], {}).ask(), { name: 'ServiceUnavailableError' });
  });

  it('may report that in its response, which is not a failure', async () => {
    const far = provider('far', { fails: 'not_covered' });
    const { ask, events } = chainOf([far, provider('second')], {});
    for (let call = 0; call < 5; call += 1) assert.equal(await ask(), 'second');
    assert.equal(far.calls, 5);
    assert.deepEqual(events(), []);
  });
});
