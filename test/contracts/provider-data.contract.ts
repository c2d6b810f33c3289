import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import { createFirstOf } from '../../src/upstream/first-of.js';
import { assertWithin } from '../support/assert-within.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { systemClock } from '../support/manual-clock.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';
import { stubForecast, type Damage, type StubProvider } from '../support/stub-provider.js';
import { useStubProvider } from '../support/use-stub-provider.js';
import type { ProviderUnderTest } from './weather-provider.contract.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HERE = { latitude: 59.9127, longitude: 10.7461 };
const HERE_KEY = '59.9127,10.7461';
const { signal } = new AbortController();

/** What can be wrong with the current weather at a point. */
const BAD_WEATHER: [what: string, current: NonNullable<Damage['current']>][] = [
  ['has no temperature', { temperature: null }],
  ['does not send a temperature', { temperature: undefined }],
  ['has a temperature of 99 °C', { temperature: 99 }],
  ['has no humidity', { humidity: null }],
  ['has a humidity of 140 %', { humidity: 140 }],
  ['has a humidity of -20 %', { humidity: -20 }],
  ['has no wind speed', { wind: null }],
  ['has a wind speed of -3 m/s', { wind: -3 }],
  ['has a wind speed of 400 m/s', { wind: 400 }],
  ['has no condition', { sky: null }],
];

/** What can be wrong with a day. It is left out. */
const BAD_DAYS: [what: string, day: Omit<NonNullable<Damage['day']>, 'daysAhead'>][] = [
  ['no temperatures', { min: null, max: null }],
  ['temperatures below -200 °C', { min: -999, max: -998 }],
  ['temperatures above 80 °C', { min: 98, max: 99 }],
  ['no condition', { sky: null }],
];

/** The date at the point in some days. */
const dateAhead = (days: number) =>
  stubForecast(HERE.latitude, HERE.longitude, days + 1).days[days]!.date;

/** What every provider must do with data that is old, missing, or implausible at a point. */
export function providerDataContract(underTest: ProviderUnderTest): void {
  const { name, create, agesMs = [4 * HOUR_MS, 4 * DAY_MS, -4 * HOUR_MS] } = underTest;
  describe(`data of the weather provider: ${name}`, { timeout: 120_000 }, () => {
    const fixture = useStubProvider();
    let stub: StubProvider;
    let provider: WeatherProvider;
    beforeEach(() => {
      ({ stub } = fixture);
      provider = create(fixture.client, stub.url);
    });

    const ask = () => provider.current!(HERE, signal);
    const askDaily = () => provider.daily!(HERE, signal);
    const noData = { name: 'UpstreamError', upstream: name, kind: 'no_data' };

    for (const ageMs of agesMs) {
      it(`is no current weather if it is ${ageMs / HOUR_MS} hours old`, async () => {
        stub.damage(HERE_KEY, { ageMs });
        await assert.rejects(ask(), noData);
      });
    }

    for (const [what, current] of BAD_WEATHER) {
      it(`is no current weather if it ${what}`, async () => {
        stub.damage(HERE_KEY, { current });
        await assert.rejects(ask(), noData);
      });
    }

    it('has a humidity of 0 or 100 % if the instrument reports a little more or less', async () => {
      const humidities = [];
      for (const humidity of [104, 100, 0, -1]) {
        stub.damage(HERE_KEY, { current: { humidity } });
        humidities.push((await ask()).value.humidity);
      }
      assert.deepEqual(humidities, [100, 100, 0, 0]);
    });

    it('is supplied for every healthy point of a random mix, by a circuit breaker that stays closed', async () => {
      const random = createRandom(SEED);
      const degree = (low: number, high: number) => random.between(low * 100, high * 100) / 100;
      const points = Array.from({ length: 60 }, () => ({
        latitude: degree(30, 45),
        longitude: degree(-120, -80),
      }));
      const bad = points.filter((_, index) => index === 7 || random.chance(0.3));
      for (const { latitude, longitude } of bad) {
        const [, current] = random.pick(BAD_WEATHER);
        stub.damage(`${latitude},${longitude}`, { current });
      }
      const supplied = await ask();
      const next: WeatherProvider = { name: 'next', current: () => Promise.resolve(supplied) };
      const { options, records, breakerOf } = policyOptionsOf(systemClock);
      const firstOf = createFirstOf([provider, next], options);
      const answered = [];
      for (const point of points) {
        answered.push((await firstOf(({ current }) => current, point, { signal })).provider);
      }
      assert.deepEqual(
        answered,
        points.map((point) => (bad.includes(point) ? 'next' : name)),
      );
      assert.equal(breakerOf(name).state, 'closed');
      assert.deepEqual(
        records.map(({ event, kind }) => [event, kind]),
        bad.map(() => ['upstream_failed', 'no_data']),
      );
    });

    it('names the present that it is for', async () => {
      for (const call of [ask, ...(underTest.daily ? [askDaily] : [])]) {
        const before = Date.now();
        const { presentAt = 0 } = await call();
        // The header Date has whole seconds.
        assertWithin(presentAt, before - 1000, Date.now());
      }
    });

    if (underTest.daily) testDaily();

    function testDaily(): void {
      const days = async () => (await askDaily()).value.days;
      const dates = async () => (await days()).map(({ date }) => date);
      const dayAhead = async (daysAhead: number) =>
        (await days()).find(({ date }) => date === dateAhead(daysAhead));

      for (const [what, day] of BAD_DAYS) {
        it(`has all days but the one with ${what}`, async () => {
          const all = await dates();
          stub.damage(HERE_KEY, { day: { daysAhead: 2, ...day } });
          const left = all.filter((date) => date !== dateAhead(2));
          assert.equal(left.length, all.length - 1);
          assert.deepEqual((await dates()).slice(0, left.length), left);
        });
      }

      it('has a day with an implausible probability, which is null', async () => {
        stub.damage(HERE_KEY, { day: { daysAhead: 2, probability: 900 } });
        assert.equal((await dayAhead(2))?.precipitation_probability, null);
        stub.damage(HERE_KEY, { day: { daysAhead: 2, probability: 103 } });
        assert.equal((await dayAhead(2))?.precipitation_probability, 100);
      });

      it('has the night as the maximum of a day if it is warmer', async () => {
        stub.damage(HERE_KEY, { day: { daysAhead: 2, min: 20, max: 10 } });
        const day = await dayAhead(2);
        assert.deepEqual([day?.temperature_min, day?.temperature_max], [10, 20]);
      });

      it('has each date once if the service repeats a day', async () => {
        const all = await dates();
        stub.damage(HERE_KEY, { repeatedDay: 2 });
        assert.deepEqual(await dates(), all);
      });

      it('is no forecast if all days are over', async () => {
        stub.damage(HERE_KEY, { ageMs: 20 * DAY_MS });
        await assert.rejects(askDaily(), noData);
      });
    }
  });
}
