import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { CONDITIONS } from '../../src/http/endpoints/conditions-endpoint.js';
import { useService, weatherAt, weatherGivenTo, weatherOf } from '../support/conformance.js';
import { ask, type Answer } from '../support/http-client.js';
import { stubWeather } from '../support/stub-provider.js';

const PATH = '/api/v1/conditions';
const POINT = { latitude: 37.21533, longitude: -93.29824 };
const PLACE = {
  city: 'Springfield',
  region: 'Missouri',
  country: 'United States',
  country_code: 'US',
  ...POINT,
  timezone: 'America/Chicago',
};

const conditionsOf = (city: string, country: string) => weatherOf(city, country, PATH);
const conditionsAt = (lat: string, lon: string) =>
  weatherAt(lat, lon).replace('weather', 'conditions');
const bodyOf = ({ status, json, text }: Answer) => {
  assert.equal(status, 200, text);
  return json as Record<string, unknown>;
};

describe('the current conditions', () => {
  const fixture = useService({}, 'redis');

  beforeEach(() => {
    fixture.stub.reset();
  });

  it('have every member in order, and null for what the provider does not report', async () => {
    const body = bodyOf(await ask(fixture.url + conditionsOf('Springfield', 'USA')));
    const { temperature, condition, humidity, wind_speed } = body;
    assert.deepEqual(weatherGivenTo(fixture.stub.calls[0]!), {
      ...{ temperature, condition, humidity, wind_speed },
    });
    const members = [
      ...['location', 'place', 'time', 'temperature', 'feels_like', 'condition', 'weather_code'],
      ...['is_day', 'humidity', 'dew_point', 'pressure', 'cloud_cover', 'precipitation'],
      ...['wind_speed', 'wind_direction', 'wind_gusts', 'visibility', 'uv_index'],
      ...['provider', 'attribution'],
    ];
    assert.deepEqual(
      Object.keys(body).filter((name) => members.includes(name)),
      members,
    );
    assert.deepEqual(Object.keys(body), ['location', ...Object.keys(CONDITIONS.body.properties)]);
    assert.deepEqual(body['location'], {
      ...{ city: 'Springfield', country: 'USA', latitude: null, longitude: null },
    });
    assert.deepEqual(body['place'], PLACE);
    assert.deepEqual([body['visibility'], body['uv_index']], [null, null]);
    const { feelsLike, dewPoint, pressure, clouds, rain } = stubWeather(37.2153, -93.2982);
    const { feels_like, dew_point, cloud_cover, precipitation } = body;
    assert.deepEqual(
      [feels_like, dew_point, body['pressure'], cloud_cover, precipitation],
      [feelsLike, dewPoint, pressure, clouds, rain],
    );
    assert.match(String(body['time']), /^\d{4}-\d\d-\d\dT\d\d:(00|15|30|45)-0[56]:00$/);
    assert.equal(body['provider'], 'open-meteo');
    assert.deepEqual(body['attribution'], {
      text: 'Weather data by Open-Meteo.com, CC BY 4.0',
      url: 'https://open-meteo.com/',
    });
  });

  it('by coordinates have the nearest place, and the coordinates of the request beside it', async () => {
    const body = bodyOf(await ask(fixture.url + conditionsAt('39.79', '-89.65')));
    assert.deepEqual(body['location'], {
      ...{ city: 'Springfield, Illinois', country: 'United States' },
      ...{ latitude: 39.79, longitude: -89.65 },
    });
    assert.deepEqual(body['place'], {
      ...{ city: 'Springfield', region: 'Illinois', country: 'United States', country_code: 'US' },
      ...{ latitude: 39.80172, longitude: -89.64371, timezone: 'America/Chicago' },
    });
  });

  it('share one fetch with the weather, in both directions', async () => {
    await ask(fixture.url + weatherOf('Lisbon', 'Portugal'));
    await ask(fixture.url + conditionsOf('Porto', 'Portugal'));
    const second = await ask(fixture.url + conditionsOf('Lisboa', 'PT'));
    const third = await ask(fixture.url + weatherOf('Porto', 'PT'));
    assert.deepEqual([second.headers['x-cache'], third.headers['x-cache']], ['HIT', 'HIT']);
    assert.equal(fixture.stub.calls.length, 2);
  });

  it('of a name that only the geocoder knows have that name, its country, and no region', async () => {
    const body = bodyOf(await ask(fixture.url + conditionsOf('Zeroville', 'gh')));
    assert.deepEqual(body['place'], {
      city: 'Zeroville',
      region: null,
      country: 'Ghana',
      country_code: 'GH',
      latitude: 0,
      longitude: 0,
      timezone: 'Etc/GMT',
    });
  });
});
