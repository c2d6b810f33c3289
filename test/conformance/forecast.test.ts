import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { useService } from '../support/conformance.js';
import { expectedForecast, forecastAt, forecastIn, forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';

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
      place: {
        city: 'Seattle',
        region: 'Washington',
        country: 'United States',
        country_code: 'US',
        latitude: 47.60621,
        longitude: -122.33207,
        timezone: 'America/Los_Angeles',
      },
      ...expectedForecast(SEATTLE, 3),
    });
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  });

  it('has the days of a point, and repeats its coordinates beside those of the nearest place', async () => {
    const answer = await ask(fixture.url + forecastAt('-33.9', '151.2', '2'));
    assert.deepEqual(forecastIn(answer), {
      location: {
        city: 'Sydney',
        country: 'Australia',
        latitude: -33.9,
        longitude: 151.2,
      },
      place: {
        city: 'Sydney',
        region: 'New South Wales',
        country: 'Australia',
        country_code: 'AU',
        latitude: -33.86785,
        longitude: 151.20732,
        timezone: 'Australia/Sydney',
      },
      ...expectedForecast('-33.9,151.2', 2),
    });
  });

  it('is fetched once for fifteen days, which serve every number of days', async () => {
    for (const days of [1, 2, 3, 7, 13, 14]) {
      const answer = await ask(fixture.url + forecastOf('Denver', 'USA', String(days)));
      assert.equal(forecastIn(answer).days.length, days);
      assert.equal(answer.headers['x-cache'], days === 1 ? 'MISS' : 'HIT');
    }
    assert.equal(fixture.stub.calls.length, 1);
    const { query } = fixture.stub.calls[0]!;
    assert.deepEqual([query['forecast_days'], query['timezone']], ['15', 'America/Denver']);
  });
});
