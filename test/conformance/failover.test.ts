import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  assertErrorForm,
  useService,
  weatherAt,
  weatherGivenTo,
  weatherOf,
  without,
} from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { forecastIn, forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { PATHS, today } from '../support/stub-provider.js';

const fixture = useService({ UPSTREAM_TIMEOUT_MS: '1500' });

beforeEach(() => {
  fixture.stub.reset();
});

describe('a failing provider', () => {
  it('that does not respond in time is replaced by the next one', async () => {
    const target = weatherAt('47.6', '-122.33');
    fixture.stub.behave(PATHS.openMeteo, { kind: 'hang' });
    const answer = await ask(fixture.url + target);
    const call = fixture.stub.calls.find(({ path }) => path === PATHS.metNorway);
    assert.ok(call);
    assert.equal(answer.status, 200);
    const { condition, ...given } = answer.json as Record<string, unknown>;
    assert.deepEqual(without(given, 'location'), without({ ...weatherGivenTo(call) }, 'condition'));
    assert.equal(typeof condition, 'string');
    assert.equal(answer.headers['x-weather-provider'], 'met-norway');
    assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
    const again = await ask(fixture.url + target);
    assert.deepEqual([again.headers['x-cache'], again.json], ['HIT', answer.json]);
  });

  it('is replaced by the next one for the daily forecast, too', async () => {
    const { url } = await fixture.replica({
      WEATHER_PROVIDERS: 'open-meteo,met-norway,openweathermap,weather-gov,demo',
      OPENWEATHERMAP_API_KEY: 'a-key',
    });
    for (const [city, provider, path] of [
      ['Seattle', 'open-meteo', PATHS.openMeteo],
      ['Denver', 'met-norway', PATHS.metNorwayForecast],
      ['Boston', 'openweathermap', PATHS.openWeatherMapForecast],
      ['Chicago', 'weather-gov', PATHS.weatherGovForecast],
      ['Miami', 'demo', undefined],
    ] as const) {
      const answer = await ask(url + forecastOf(city, 'USA', '7'));
      const { timezone, days } = forecastIn(answer);
      assert.equal(answer.headers['x-weather-provider'], provider);
      assert.ok(days.length >= 4 && days.length <= 7, `${provider}: ${days.length} days`);
      const dates = days.map(({ date }) => date);
      assert.deepEqual(dates, [...new Set(dates)].sort());
      assert.ok((dates[0] ?? '') >= today(timezone));
      if (path) fixture.stub.behave(path, { kind: 'status', status: 500 });
    }
  });

  it('does not affect places of the gazetteer if it is the geocoder', async () => {
    fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 500 });
    assert.equal((await ask(fixture.url + weatherOf('Seattle', 'USA'))).status, 200);
    const unknown = await ask(fixture.url + weatherOf('Qwxyzzy', 'USA'));
    assertErrorForm(unknown, 400, 'Geocoding failed');
  });
});

describe('while all providers fail', () => {
  it('an expired entry is served as STALE with its age, and requests for other places fail with 503', async () => {
    const { url } = await fixture.replica({ CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' });
    const target = url + weatherOf('Seattle', 'USA');
    const first = await ask(target);
    fixture.stub.behaveAll({ kind: 'status', status: 500 });
    await eventually(
      async () => (await ask(target)).headers['x-cache'] === 'STALE',
      'a stale answer',
    );
    const stale = await ask(target);
    assert.deepEqual([stale.status, stale.json], [200, first.json]);
    assert.equal(stale.headers['x-weather-provider'], 'open-meteo');
    assert.ok(Number(stale.headers.age) >= 1, stale.headers.age);
    assert.equal(stale.headers.etag, first.headers.etag);

    for (const target503 of [weatherOf('Tromsø', 'Norway'), weatherAt('69.65', '18.96')]) {
      const answer = await ask(url + target503);
      const message = assertErrorForm(answer, 503, 'Service unavailable');
      assert.doesNotMatch(message, /open-meteo|met-norway|127\.0\.0\.1|500/);
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal(answer.headers['x-cache'], undefined);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    }
  });

  it('an expired entry is not served with STALE_IF_ERROR_SECONDS=0', async () => {
    const env = { CACHE_TTL_SECONDS: '1', STALE_IF_ERROR_SECONDS: '0' };
    const { url } = await fixture.replica(env);
    const target = url + weatherOf('Seattle', 'USA');
    assert.equal((await ask(target)).status, 200);
    fixture.stub.behaveAll({ kind: 'status', status: 400 });
    await eventually(async () => (await ask(target)).status !== 200, 'an error');
    assertErrorForm(await ask(target), 503, 'Service unavailable');
  });

  it('a request fails with 503 at the deadline of REQUEST_TIMEOUT_MS', async () => {
    const env = { REQUEST_TIMEOUT_MS: '700', UPSTREAM_TIMEOUT_MS: '60000' };
    const { url } = await fixture.replica(env);
    fixture.stub.behaveAll({ kind: 'hang' });
    const answer = await ask(url + weatherOf('Seattle', 'USA'));
    assertErrorForm(answer, 503, 'Service unavailable');
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  });
});

describe('an entry of MET Norway', () => {
  it('is fresh until its response expires, and stale after that', async () => {
    const { stub } = fixture;
    stub.world.metExpiresMs = 3000;
    const env = { WEATHER_PROVIDERS: 'met-norway', CACHE_TTL_SECONDS: '1' };
    const { url } = await fixture.replica(env);
    const target = url + weatherOf('Seattle', 'USA');
    assert.equal((await ask(target)).headers['x-cache'], 'MISS');
    stub.behave(PATHS.metNorway, { kind: 'status', status: 500 });
    const ages: number[] = [];
    await eventually(async () => {
      const { headers } = await ask(target);
      if (headers['x-cache'] === 'HIT') ages.push(Number(headers.age));
      return headers['x-cache'] === 'STALE';
    }, 'a stale response');
    assert.ok(ages.includes(1), 'a hit after the TTL');
    const [first, second] = stub.calls.filter(({ path }) => path === PATHS.metNorway);
    const elapsedMs = (second?.at ?? 0) - (first?.at ?? 0);
    // `Expires` and `Date` have whole seconds.
    assert.ok(elapsedMs >= 2000, `the second call came after ${elapsedMs} ms`);
  });

  it('is fetched from another URL than the forecast of the place', async () => {
    const { url } = await fixture.replica({ WEATHER_PROVIDERS: 'met-norway' });
    await ask(url + weatherOf('Seattle', 'USA'));
    await ask(url + forecastOf('Seattle', 'USA'));
    const urls = fixture.stub.calls.map((call) => call.url);
    assert.deepEqual([urls.length, new Set(urls).size], [2, 2]);
  });
});

describe('the daily forecast', () => {
  /** Lets Open-Meteo respond with these values of two days. */
  const respondWith = (time: string[], lowest: (number | null)[]) => {
    const daily = {
      time,
      temperature_2m_min: lowest,
      temperature_2m_max: [9, 9],
      weather_code: [61, 61],
    };
    const body = JSON.stringify({ timezone: 'America/Denver', daily });
    fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body });
  };

  it('of a provider without a complete day is skipped', async () => {
    respondWith(['2026-11-24', '2026-11-25'], [null, null]);
    const answer = await ask(fixture.url + forecastOf('Denver', 'USA'));
    assert.equal(answer.headers['x-weather-provider'], 'met-norway');
  });

  it('whose days are all over fails with 503, and the search is not recorded', async () => {
    respondWith(['2020-01-01', '2020-01-02'], [1, 2]);
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

  it('expires after FORECAST_TTL_SECONDS, and current weather after its own TTL', async () => {
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
});
