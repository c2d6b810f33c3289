import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { forecastIn, forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { PATHS, stubPlace, today } from '../support/stub-provider.js';

const ALL = {
  WEATHER_PROVIDERS: 'open-meteo,met-norway,openweathermap,weather-gov,demo',
  OPENWEATHERMAP_API_KEY: 'a-key',
};
const PATHS_IN_ORDER = [
  ['open-meteo', PATHS.openMeteo],
  ['met-norway', PATHS.metNorwayForecast],
  ['openweathermap', PATHS.openWeatherMapForecast],
  ['weather-gov', PATHS.weatherGovForecast],
] as const;

const fixture = useService({ UPSTREAM_TIMEOUT_MS: '2000' });

beforeEach(() => {
  fixture.stub.reset();
});

it('the daily forecast comes from the next provider after each that fails', async () => {
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

it('a provider without a complete day is skipped', async () => {
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

it('a forecast whose days are all over is 503, and the search is not recorded', async () => {
  const daily = {
    time: ['2020-01-01', '2020-01-02'],
    temperature_2m_min: [1, 2],
    temperature_2m_max: [9, 9],
    weather_code: [61, 61],
  };
  const body = JSON.stringify({ timezone: 'America/Denver', daily });
  fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body });
  for (const outcome of ['MISS', 'HIT']) {
    const headers = { 'X-Request-ID': `over-${outcome}` };
    const answer = await ask(fixture.url + forecastOf('Aspen', 'USA'), { headers });
    assertErrorForm(answer, 503, 'Service unavailable');
    assert.equal(answer.headers['retry-after'], '5');
    const record = await fixture.service.waitFor(
      'weather_request',
      ({ request_id: id }) => id === `over-${outcome}`,
    );
    assert.deepEqual([record['status'], record['cache']], [503, outcome]);
    const list = await ask(`${fixture.url}/api/v1/recent-searches`, {
      headers: { Cookie: cookieOf(answer) },
    });
    assert.deepEqual(list.json, { recent_searches: [] });
  }
});

it('the daily forecast expires after FORECAST_TTL_SECONDS, current weather after its own TTL', async () => {
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

it('MET Norway: current weather and forecast of a place call no URL twice', async () => {
  const { stub } = fixture;
  const { url } = await fixture.replica({ WEATHER_PROVIDERS: 'met-norway' });
  await ask(url + weatherOf('Seattle', 'USA'));
  await ask(url + forecastOf('Seattle', 'USA'));
  const urls = stub.calls.map((call) => call.url);
  assert.equal(urls.length, 2);
  assert.equal(new Set(urls).size, 2);
});
