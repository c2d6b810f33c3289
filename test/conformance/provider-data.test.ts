import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertErrorForm, useService, weatherAt } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { expectedForecast, forecastAt, forecastIn } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';
import type { Service } from '../support/service.js';
import { PATHS, type Damage } from '../support/stub-provider.js';

const DAY_MS = 86_400_000;
/** Older than every series. */
const OLD: Damage = { ageMs: 20 * DAY_MS };

const fixture = useService({ RATE_LIMIT_PER_IP: '0' });

beforeEach(() => {
  fixture.stub.reset();
});

/** The provider of a response, or the status if it is not 200. */
async function providerOf(target: string): Promise<string | number> {
  const { status, headers } = await ask(fixture.url + target);
  return status === 200 ? String(headers['x-weather-provider']) : status;
}

/** Two kinds of queries about a point. */
const KINDS = [
  ['current weather', weatherAt],
  ['a forecast', forecastAt],
] as const;

describe('old data of a provider', () => {
  let alone: Service;
  before(async () => {
    const env = { WEATHER_PROVIDERS: 'open-meteo', REFRESH_AHEAD_SECONDS: '0' };
    const ttl = { CACHE_TTL_SECONDS: '1', FORECAST_TTL_SECONDS: '1' };
    alone = await fixture.replica({ ...env, ...ttl });
  });

  for (const [index, [kind, targetAt]] of KINDS.entries()) {
    const latitude = (40.4406 + index / 10).toFixed(4);
    const point = [latitude, '-79.9959'] as const;
    const key = point.join();

    it(`is replaced by ${kind} of the next provider`, async () => {
      fixture.stub.damage(key, { ...OLD, paths: [PATHS.openMeteo] });
      assert.equal(await providerOf(targetAt(...point)), 'met-norway');
      assert.equal(fixture.stub.count(PATHS.openMeteo, key), 1);
    });

    it(`is never stored: without a next provider, ${kind} is the last good one, then 503`, async () => {
      const target = alone.url + targetAt(...point);
      const good = await ask(target);
      assert.equal(good.headers['x-cache'], 'MISS');
      fixture.stub.damage(key, OLD);
      const isStale = async () => (await ask(target)).headers['x-cache'] === 'STALE';
      await eventually(isStale, 'a stale response');
      const stale = await ask(target);
      assert.deepEqual([stale.status, stale.json], [200, good.json]);

      const other = [latitude, '-80.1'] as const;
      fixture.stub.damage(other.join(), OLD);
      for (let call = 0; call < 4; call += 1) {
        const answer = await ask(alone.url + targetAt(...other));
        assertErrorForm(answer, 503, 'Service unavailable');
        assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      }
      assert.equal(fixture.stub.count(PATHS.openMeteo, other.join()), 4);
      assert.deepEqual(alone.of('breaker_open'), []);
      fixture.stub.damage(other.join(), {});
      assert.equal((await ask(alone.url + targetAt(...other))).headers['x-cache'], 'MISS');
    });
  }

  it('of api.weather.gov, whose periods are all over, is replaced by the next provider', async () => {
    const { url } = await fixture.replica({ WEATHER_PROVIDERS: 'weather-gov,open-meteo' });
    const point = ['44.9778', '-93.2650'] as const;
    fixture.stub.damage('44.9778,-93.265', { ...OLD, paths: [PATHS.weatherGovForecast] });
    const { headers, status } = await ask(url + forecastAt(...point));
    assert.deepEqual([status, headers['x-weather-provider']], [200, 'open-meteo']);
  });
});

describe('bad values of a provider', () => {
  const BAD: NonNullable<Damage['current']>[] = [
    { humidity: 140 },
    { temperature: null },
    { wind: -5 },
    { sky: null },
    { temperature: 99 },
  ];

  it('at some points are replaced there, and every other point keeps its provider', async () => {
    const random = createRandom(SEED);
    const points = Array.from({ length: 50 }, (_, index) => ({
      point: [
        String(Math.round(3500 + index * 5) / 100),
        String(random.between(-110, -85)),
      ] as const,
      isBad: index < 4 || random.chance(0.3),
    }));
    for (const { point } of points.filter(({ isBad }) => isBad)) {
      const current = random.pick(BAD);
      fixture.stub.damage(point.join(), { current, paths: [PATHS.openMeteo] });
    }
    const answered = [];
    for (const { point } of points) answered.push(await providerOf(weatherAt(...point)));
    const expected = points.map(({ isBad }) => (isBad ? 'met-norway' : 'open-meteo'));
    assert.deepEqual(answered, expected);
    assert.deepEqual(fixture.service.of('breaker_open'), []);
  });

  it('of one day leave out that day, and a night that is warmer than its day is its maximum', async () => {
    const point = ['39.7392', '-104.9903'] as const;
    const key = point.join();
    const { days } = expectedForecast(key, 15);
    fixture.stub.damage(key, { day: { daysAhead: 2, min: 20, max: 15 } });
    const [, , third] = forecastIn(await ask(fixture.url + forecastAt(...point, '3'))).days;
    assert.deepEqual(third, { ...days[2], temperature_min: 15, temperature_max: 20 });

    const next = ['39.7392', '-104.9904'] as const;
    fixture.stub.damage(next.join(), { day: { daysAhead: 2, max: null } });
    const left = forecastIn(await ask(fixture.url + forecastAt(...next, '14'))).days;
    assert.deepEqual(
      left.map(({ date }) => date),
      days.filter((_, index) => index !== 2).map(({ date }) => date),
    );
  });
});
