import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertError, assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { expectedForecast, forecastAt, forecastIn, forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const INVALID_DAYS = 'days must be a whole number from 1 to 7';
const SEATTLE = '47.6062,-122.3321';

describe('the daily forecast', () => {
  const fixture = useService({}, 'redis');

  beforeEach(() => {
    fixture.stub.reset();
  });

  it('has the next three days of a city', async () => {
    const answer = await ask(fixture.url + forecastOf('Seattle', 'USA'));
    const [call] = fixture.stub.calls;
    assert.equal(call?.key, SEATTLE);
    assert.deepEqual(forecastIn(answer), {
      location: { city: 'Seattle', country: 'USA', latitude: null, longitude: null },
      ...expectedForecast(SEATTLE, 3),
    });
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  });

  it('has the days of a point, and repeats its coordinates', async () => {
    const answer = await ask(fixture.url + forecastAt('-33.8679', '151.2073', '2'));
    assert.deepEqual(forecastIn(answer), {
      location: {
        city: 'Sydney',
        country: 'Australia',
        latitude: -33.8679,
        longitude: 151.2073,
      },
      ...expectedForecast('-33.8679,151.2073', 2),
    });
  });

  it('is fetched once for seven days, which serve every number of days', async () => {
    for (const days of [1, 2, 3, 4, 5, 6, 7]) {
      const answer = await ask(fixture.url + forecastOf('Denver', 'USA', String(days)));
      assert.equal(forecastIn(answer).days.length, days);
      assert.equal(answer.headers['x-cache'], days === 1 ? 'MISS' : 'HIT');
    }
    assert.equal(fixture.stub.calls.length, 1);
    const { query } = fixture.stub.calls[0]!;
    assert.deepEqual([query['forecast_days'], query['timezone']], ['7', 'auto']);
  });

  it('for a number of days that is not from 1 to 7 is rejected, without a call', async () => {
    for (const days of ['0', '8', '-1', '1.5', '', 'three', '３', ' 3', '003']) {
      for (const target of [forecastOf('Boston', 'USA', days), forecastAt('1', '2', days)]) {
        assertError(await ask(fixture.url + target), 400, 'Invalid days', INVALID_DAYS);
      }
    }
    const repeated = `${forecastOf('Boston', 'USA', '2')}&days=3`;
    assertError(await ask(fixture.url + repeated), 400, 'Invalid days', INVALID_DAYS);
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('for an invalid location has the error of current weather', async () => {
    for (const [target, title] of [
      ['/api/v1/forecast?city=Paris&days=9', 'Missing required parameters'],
      [forecastOf('Qwxyzzy', 'USA'), 'Geocoding failed'],
      [forecastAt('91', '0'), 'Invalid coordinates'],
    ] as const) {
      assertErrorForm(await ask(fixture.url + target), 400, title);
    }
    assert.equal(fixture.stub.count(PATHS.openMeteo), 0);
  });

  it('has its source and age in the headers, and nothing about current weather', async () => {
    const target = fixture.url + forecastOf('Lisbon', 'Portugal');
    const { headers } = await ask(target);
    assert.deepEqual([headers.age, headers['x-weather-provider']], ['0', 'open-meteo']);
    assert.match(String(headers['x-weather-attribution']), /^Weather data by Open-Meteo\.com /);
    assert.equal(headers['x-weather-code'], undefined);
    assert.equal(headers['x-weather-is-day'], undefined);
  });

  it('has its own cache entry', async () => {
    const weather = await ask(fixture.url + weatherOf('Chicago', 'USA'));
    const forecast = await ask(fixture.url + forecastOf('Chicago', 'USA'));
    assert.deepEqual(
      [weather, forecast].map(({ headers }) => headers['x-cache']),
      ['MISS', 'MISS'],
    );
    assert.equal(fixture.stub.calls.length, 2);
    for (const target of [weatherOf('Chicago', 'USA'), forecastOf('CHICAGO', 'us', '7')]) {
      assert.equal((await ask(fixture.url + target)).headers['x-cache'], 'HIT');
    }
  });

  it('adds a city to the recent searches once, together with current weather', async () => {
    const cookie = cookieOf(await ask(`${fixture.url}/api/v1/forecast`));
    const get = (target: string, headers = {}) =>
      ask(fixture.url + target, { headers: { Cookie: cookie, ...headers } });
    await get(weatherOf('Oslo', 'Norway'));
    const { headers } = await get(forecastOf('OSLO', 'no'));
    await get(forecastOf('Boston', 'USA'));
    await get(forecastAt('48.1', '11.5'));
    await get(forecastOf('Denver', 'USA', '8'));
    const answer = await get(forecastOf('OSLO', 'no'), { 'If-None-Match': headers.etag ?? '' });
    assert.equal(answer.status, 304);
    const expected = [
      { city: 'OSLO', country: 'no' },
      { city: 'Boston', country: 'USA' },
    ];
    const list = await get('/api/v1/recent-searches');
    assert.deepEqual(list.json, { recent_searches: expected });
  });
});
