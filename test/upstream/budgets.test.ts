import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../src/errors.js';
import { noInstruments } from '../../src/process/instruments.js';
import type { Budgets } from '../../src/upstream/budgets.js';
import { createFailover } from '../../src/upstream/failover.js';
import type { KeptWeather, Point, Weather, WeatherProvider } from '../../src/weather/types.js';
import { guardingOf } from '../support/guarding.js';
import { manualClock, systemClock } from '../support/manual-clock.js';

const WEATHER: Weather = { temperature: 1, condition: 'Fog', humidity: 50, wind_speed: 2 };
const POINT: Point = { latitude: 1, longitude: 2 };
const { signal } = new AbortController();
const CONCURRENCY = 4;

/** A provider that answers, or fails as it is told. */
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
        ? Promise.reject(new UpstreamError(name, fails, 'as told'))
        : Promise.resolve(WEATHER);
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
  const saved: string[] = [];
  const { guarding, records } = guardingOf(systemClock, budgets, {
    concurrency: CONCURRENCY,
    instruments: { ...noInstruments, upstreamCallSaved: (name) => saved.push(name) },
  });
  const chain = createFailover(providers, guarding);
  const ask = async () => (await chain.current(POINT, { signal })).provider;
  return { chain, ask, records, saved, events: () => records.map(({ event }) => event) };
}

describe('a provider whose budget is spent', { timeout: 60_000 }, () => {
  it('is passed over, without a failure and without its breaker', async () => {
    const [first, second] = [provider('first'), provider('second')];
    const { ask, events } = chainOf([first, second], { first: 2 }, { windowSeconds: 60 });
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await ask());
    assert.deepEqual(answers, ['first', 'first', 'second', 'second', 'second']);
    assert.deepEqual([first.calls, second.calls], [2, 3]);
    assert.deepEqual(events(), ['provider_budget_spent']);
  });

  it('is waited for when no other answers', async () => {
    const [first, second] = [provider('first'), provider('second', { fails: 'unavailable' })];
    const { ask } = chainOf([first, second], { first: 2 });
    const answers = await Promise.all(Array.from({ length: 4 }, ask));
    assert.deepEqual(new Set(answers), new Set(['first']));
    assert.equal(first.calls, 4);
    assert.equal(second.calls, 2, 'who has just failed is not asked again');
  });

  it('is not waited for when it is free in a minute', async () => {
    const first = provider('first');
    const failing = provider('second', { fails: 'quota' });
    const { ask } = chainOf([first, failing], { first: 1 }, { windowSeconds: 40 });
    await ask();
    await assert.rejects(ask(), {
      name: 'ServiceUnavailableError',
      retryAfterSeconds: 5,
      message: 'No weather provider gave an answer: first: budget spent; second: as told',
    });
    assert.equal(first.calls, 1);
  });

  it('keeps a fifth of a day for known places', async () => {
    const { chain } = chainOf([provider('first')], { first: 5 }, { windowSeconds: 86_400 });
    const ask = (isKnown: boolean) => chain.current(POINT, { signal, reserve: isKnown });
    for (let call = 0; call < 4; call += 1) await ask(false);
    await assert.rejects(ask(false), { name: 'ServiceUnavailableError' });
    assert.equal((await ask(true)).provider, 'first');
    await assert.rejects(ask(true), { name: 'ServiceUnavailableError' });
  });

  it('is told as free when others than known places fit again', async () => {
    const clock = manualClock();
    const windows = [
      { limit: 5, windowSeconds: 3600 },
      { limit: 5, windowSeconds: 60 },
    ];
    const { guarding, records } = guardingOf(
      clock,
      new Map([['first', { name: 'first', windows }]]),
    );
    const take = async (reserve: boolean) => {
      clock.advance(120_000);
      await guarding.budgets.take('first', { reserve });
      return records.map(({ event }) => event);
    };
    for (let call = 0; call < 4; call += 1) await take(false);
    const spent = ['provider_budget_spent'];
    assert.deepEqual(await take(false), spent);
    assert.deepEqual(await take(true), spent);
    clock.advance(3_600_000);
    assert.deepEqual(await take(true), [...spent, 'provider_budget_free']);
  });

  it('ends the wait of a caller who gives up', async () => {
    const { chain, ask } = chainOf([provider('first')], { first: 1 });
    await ask();
    const controller = new AbortController();
    const waiting = chain.current(POINT, { signal: controller.signal });
    waiting.catch(() => undefined);
    const reason = new Error('gone');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(await ask(), 'first');
  });
});

describe('an answer that a provider kept', () => {
  const KEPT: KeptWeather = { weather: WEATHER, ageMs: 600_000 };

  it('needs no call, no breaker and no budget, and keeps its age', async () => {
    const has: { kept?: KeptWeather } = {};
    const first = provider('first', { fails: 'quota', kept: () => Promise.resolve(has.kept) });
    const { chain, saved } = chainOf([first, provider('second')], { first: 1 });
    assert.equal((await chain.current(POINT, { signal })).provider, 'second');
    has.kept = KEPT;
    for (let question = 0; question < 3; question += 1) {
      assert.deepEqual(await chain.current(POINT, { signal }), { ...KEPT, provider: 'first' });
    }
    assert.deepEqual([first.calls, saved], [1, ['first', 'first', 'first']]);
  });

  it('while a call waits for others is used instead of the call, with its age', async () => {
    const has: { kept?: KeptWeather } = {};
    let answer: (weather: Weather) => void = () => undefined;
    const slow = () => new Promise<Weather>((resolve) => (answer = resolve));
    const first = provider('first', { kept: () => Promise.resolve(has.kept), current: slow });
    const { chain, saved } = chainOf([first], { first: 9 });
    const asked = Array.from({ length: CONCURRENCY + 1 }, () => chain.current(POINT, { signal }));
    await new Promise((resolve) => setImmediate(resolve));
    has.kept = KEPT;
    answer(WEATHER);
    assert.deepEqual(await asked.at(-1), { ...KEPT, provider: 'first' });
    assert.deepEqual(saved, ['first']);
  });
});

describe('a provider that does not know the place', () => {
  it('is not asked, and without another one the request fails with a time to retry', async () => {
    const far = provider('far', { covers: () => false });
    assert.equal(await chainOf([far, provider('second')], {}).ask(), 'second');
    assert.equal(far.calls, 0);
    await assert.rejects(chainOf([far], {}).ask(), { name: 'ServiceUnavailableError' });
  });

  it('may say so in its answer, which is no failure', async () => {
    const far = provider('far', { fails: 'not_covered' });
    const { ask, events } = chainOf([far, provider('second')], {});
    for (let call = 0; call < 5; call += 1) assert.equal(await ask(), 'second');
    assert.equal(far.calls, 5);
    assert.deepEqual(events(), []);
  });
});
