import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { expectedForecast, forecastIn, forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { PATHS, stubPlace, today } from '../support/stub-provider.js';

const ALL = {
  WEATHER_PROVIDERS: 'open-meteo,met-norway,openweathermap,weather-gov,demo',
  OPENWEATHERMAP_API_KEY: 'a-key',
};
const PATHS_IN_ORDER = [
  ['open-meteo', PATHS.openMeteo],
  ['met-norway', PATHS.metNorway],
  ['openweathermap', PATHS.openWeatherMapForecast],
  ['weather-gov', PATHS.weatherGovForecast],
] as const;

const fixture = useService({ UPSTREAM_TIMEOUT_MS: '2000' });

beforeEach(() => {
  fixture.stub.reset();
});

it('forecast: providers that fail in turn are skipped, and the next one supplies the days', async () => {
  const { url } = await fixture.replica(ALL);
  const cities = ['Seattle', 'Denver', 'Boston', 'Chicago', 'Miami'];
  const names = [...PATHS_IN_ORDER.map(([name]) => name), 'demo'];
  for (const [index, name] of names.entries()) {
    const answer = await ask(url + forecastOf(cities[index]!, 'USA', '7'));
    const { timezone, days } = forecastIn(answer);
    assert.equal(answer.headers['x-weather-provider'], name);
    assert.ok(days.length >= 4 && days.length <= 7, `${name}: ${days.length} days`);
    const dates = days.map(({ date }) => date);
    assert.deepEqual(dates, [...new Set(dates)].sort());
    assert.ok((dates[0] ?? '') >= today({ ...stubPlace(0, 0), timeZone: timezone }));
    const path = PATHS_IN_ORDER[index]?.[1];
    if (path) fixture.stub.behave(path, { kind: 'status', status: 500 });
  }
});

it('forecast: a provider without a complete day is skipped', async () => {
  const daily = {
    time: ['2026-11-24'],
    temperature_2m_min: [null],
    temperature_2m_max: [9],
    weather_code: [61],
  };
  const body = JSON.stringify({ timezone: 'America/Denver', daily });
  fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body });
  const answer = await ask(fixture.url + forecastOf('Denver', 'USA'));
  assert.equal(answer.headers['x-weather-provider'], 'met-norway');
});

it('forecast: an expired entry is served as stale while every provider fails', async () => {
  const { url } = await fixture.replica({ FORECAST_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' });
  const target = url + forecastOf('Seattle', 'USA');
  const first = await ask(target);
  assert.deepEqual(forecastIn(first).days, expectedForecast('47.6062,-122.3321', 3).days);
  fixture.stub.behaveAll({ kind: 'status', status: 500 });
  await eventually(
    async () => (await ask(target)).headers['x-cache'] === 'STALE',
    'a stale response',
  );
  const stale = await ask(url + forecastOf('Seattle', 'USA', '2'));
  assert.equal(stale.headers['x-cache'], 'STALE');
  assert.ok(Number(stale.headers.age) >= 1, stale.headers.age);
  assert.deepEqual(forecastIn(stale).days, forecastIn(first).days.slice(0, 2));

  const cold = await ask(url + forecastOf('Boston', 'USA'));
  const message = assertErrorForm(cold, 503, 'Service unavailable');
  assert.doesNotMatch(message, /open-meteo|met-norway|500/);
  assert.match(cold.headers['retry-after'] ?? '', /^[1-9]\d*$/);
});

it('forecast: its TTL is FORECAST_TTL_SECONDS, and that of current weather stays', async () => {
  const { url } = await fixture.replica({
    FORECAST_TTL_SECONDS: '1',
    CACHE_TTL_SECONDS: '3600',
    REFRESH_AHEAD_SECONDS: '0',
  });
  await ask(url + weatherOf('Seattle', 'USA'));
  await ask(url + forecastOf('Seattle', 'USA'));
  await eventually(
    async () => (await ask(url + forecastOf('Seattle', 'USA'))).headers['x-cache'] === 'MISS',
    'another fetch of the forecast',
  );
  assert.equal((await ask(url + weatherOf('Seattle', 'USA'))).headers['x-cache'], 'HIT');
});

it('MET Norway: a forecast is not fetched again before its response expires', async () => {
  const { stub } = fixture;
  stub.world.metExpiresMs = 3000;
  const env = { WEATHER_PROVIDERS: 'met-norway', FORECAST_TTL_SECONDS: '1' };
  const { url } = await fixture.replica(env);
  const target = url + forecastOf('Seattle', 'USA');
  assert.equal((await ask(target)).headers['x-cache'], 'MISS');
  await eventually(async () => (await ask(target)).headers['x-cache'] === 'MISS', 'another fetch');
  const [first, second] = stub.calls.filter(({ path }) => path === PATHS.metNorway);
  const elapsedMs = (second?.at ?? 0) - (first?.at ?? 0);
  // `Expires` and `Date` have whole seconds.
  assert.ok(elapsedMs >= 2000, `the second call came after ${elapsedMs} ms`);
});
