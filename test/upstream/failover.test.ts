import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceUnavailableError, UpstreamError } from '../../src/weather/errors.js';
import type { Budgets } from '../../src/upstream/call-budgets.js';
import { createFailover } from '../../src/upstream/failover.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { AbilityName, ValuesByAbility } from '../../src/weather/kinds/kinds.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { currentWeather } from '../support/steps.js';
import { manualClock, systemClock, type ManualClock } from '../support/manual-clock.js';
import { zoned } from '../support/zoned.js';

const WEATHER = currentWeather();
const POINT = zoned({ latitude: 1, longitude: 2 });
const NEVER = new AbortController().signal;

interface TestProvider extends WeatherProvider {
  calls: number;
  /** What the next calls do. Undefined: they succeed. */
  behavior: (() => Promise<never>) | undefined;
}

function provider(name: string, more: Partial<TestProvider> = {}): TestProvider {
  const made: TestProvider = {
    name,
    calls: 0,
    behavior: undefined,
    current() {
      made.calls += 1;
      return made.behavior?.() ?? Promise.resolve({ value: WEATHER });
    },
    ...more,
  };
  return made;
}

/** The second host of the provider `first`. */
const upstreamFor = (name: string, ability: string) =>
  name === 'first' && ability === 'hourly' ? 'first-hourly' : name;

const failing = (name: string, kind: UpstreamError['kind'], retryAfterMs?: number) =>
  provider(name, {
    behavior: () => Promise.reject(new UpstreamError(name, kind, 'failed', { retryAfterMs })),
  });

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock();
});

function chainOf(providers: WeatherProvider[], budgets?: Budgets) {
  // A wait for a budget is real time.
  const { options, records } = policyOptionsOf(budgets ? systemClock : clock, budgets);
  const failover = createFailover(providers, options, upstreamFor);
  const fetch = (signal = NEVER, ability: AbilityName = 'current') =>
    failover(ability, POINT, { signal });
  const ask = async () => (await fetch()).provider;
  return { fetch, ask, events: () => records.map(({ event }) => event) };
}

/** Calls that are aborted reject with this error. */
const GONE = new Error('gone');
const isGone = (error: unknown) => error === GONE;

describe('failover', () => {
  it('fails if all fail, with the earliest time to retry, each failure, and the last cause', async () => {
    const all = [
      failing('first', 'quota', 300_000),
      failing('second', 'quota', 40_000),
      failing('third', 'quota', 200_000),
    ];
    const { ask } = chainOf(all);
    const error: unknown = await ask().catch((caught: unknown) => caught);
    assert.ok(error instanceof ServiceUnavailableError);
    assert.equal(error.retryAfterSeconds, 40);
    const failures = 'first: failed; second: failed; third: failed';
    assert.equal(error.message, `All weather providers failed: ${failures}`);
    assert.equal((error.cause as UpstreamError).upstream, 'third');
    clock.advance(10_000);
    await assert.rejects(ask(), { retryAfterSeconds: 30, message: /breaker open \(failed\)/ });
    assert.deepEqual(
      all.map(({ calls }) => calls),
      [1, 1, 1],
    );
  });

  it('ends with the reason of an aborted signal, and calls no other provider', async () => {
    const controller = new AbortController();
    const first = failing('first', 'unavailable');
    const fail = first.behavior!;
    first.behavior = () => {
      controller.abort(GONE);
      return fail();
    };
    const second = provider('second');
    const { fetch, events } = chainOf([first, second]);
    await assert.rejects(fetch(controller.signal), isGone);
    assert.deepEqual([second.calls, events()], [0, []]);
  });

  const unable: WeatherProvider = { name: 'unable' };
  for (const [what, skipped] of [
    ['has the ability', unable],
    ['covers the place', provider('far', { covers: () => false })],
  ] as const) {
    it(`skips providers until one ${what}, and fails if none does`, async () => {
      assert.equal(await chainOf([skipped, provider('second')]).ask(), 'second');
      await assert.rejects(chainOf([skipped]).ask(), {
        name: 'NotOfferedError',
        retryAfterSeconds: 86_400,
        message: 'No weather provider has this data for this place',
      });
    });
  }

  it('does not count a response that the place is not covered as a failure', async () => {
    const far = failing('far', 'not_covered');
    const { ask, events } = chainOf([far, provider('second')]);
    for (let call = 0; call < 5; call += 1) assert.equal(await ask(), 'second');
    assert.deepEqual([far.calls, events()], [5, []]);
  });
});

describe('a provider with a second host', () => {
  it('has a circuit breaker and a budget of its own for the ability at that host', async () => {
    const first = failing('first', 'unavailable');
    const hours = { value: {} as ValuesByAbility['hourly'] };
    Object.assign(first, { hourly: () => Promise.resolve(hours) });
    const { fetch, ask, events } = chainOf([first], budget(2, 60, 'first-hourly'));
    for (let call = 0; call < 3; call += 1) await assert.rejects(ask());
    await assert.rejects(ask(), /breaker open/);
    for (let call = 0; call < 2; call += 1) {
      assert.equal((await fetch(NEVER, 'hourly')).provider, 'first');
    }
    await assert.rejects(fetch(NEVER, 'hourly'), /budget used up/);
    assert.equal(first.calls, 3);
    assert.ok(events().includes('provider_budget_exhausted'));
  });
});

/** A budget of the first provider. */
function budget(limit: number, windowSeconds: number, service = 'first'): Budgets {
  return new Map([[service, { name: 'first', windows: [{ limit, windowSeconds }] }]]);
}

describe('a provider whose budget is used up', () => {
  it('is skipped, without a failure and without its circuit breaker', async () => {
    const first = provider('first');
    const { ask, events } = chainOf([first, provider('second')], budget(2, 60));
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await ask());
    assert.deepEqual(answers, ['first', 'first', 'second', 'second', 'second']);
    assert.equal(first.calls, 2);
    assert.deepEqual(events(), ['provider_budget_exhausted']);
  });

  it('is waited for if no other provider responds', async () => {
    const [first, second] = [provider('first'), failing('second', 'unavailable')];
    const { ask } = chainOf([first, second], budget(1, 0.1));
    const answers = await Promise.all(Array.from({ length: 3 }, ask));
    assert.deepEqual(new Set(answers), new Set(['first']));
    assert.equal(first.calls, 3);
    assert.equal(second.calls, 2, 'a provider that has just failed is not called again');
  });

  it('is waited for if it is available soon, also if another one is available only in a minute', async () => {
    const providers = [provider('first'), provider('second')];
    const second = { name: 'second', windows: [{ limit: 1, windowSeconds: 0.1 }] };
    const { ask } = chainOf(providers, new Map([...budget(1, 60), ['second', second]]));
    assert.deepEqual([await ask(), await ask(), await ask()], ['first', 'second', 'second']);
  });

  it('is not waited for if it is available only in a minute', async () => {
    const first = provider('first');
    const { ask } = chainOf([first, failing('second', 'quota')], budget(1, 40));
    await ask();
    await assert.rejects(ask(), {
      name: 'ServiceUnavailableError',
      retryAfterSeconds: 5,
      message: 'All weather providers failed: first: budget used up; second: failed',
    });
    assert.equal(first.calls, 1);
  });
});
