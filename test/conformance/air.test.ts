import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const AIR = '/api/v1/air-quality';
const POLLEN = '/api/v1/pollen';
const at = (path: string, lat: number, lon: number) => `${path}/coordinates?lat=${lat}&lon=${lon}`;

describe('air quality and pollen', () => {
  const fixture = useService({
    WEATHER_PROVIDERS: 'open-meteo,openweathermap',
    OPENWEATHERMAP_API_KEY: 'key',
  });
  const get = async (target: string) => {
    const { status, headers, json } = await ask(fixture.url + target);
    assert.equal(status, 200, target);
    return { headers, body: json as Record<string, unknown> };
  };
  beforeEach(() => {
    fixture.stub.reset();
  });

  it('are public for an hour, with the credit of their source', async () => {
    for (const path of [AIR, POLLEN]) {
      const { headers, body } = await get(weatherOf('Berlin', 'Germany', path));
      assert.match(String(headers['cache-control']), /^public, max-age=3600,/);
      assert.equal(headers['set-cookie'], undefined);
      assert.match(String(headers['x-weather-attribution']), /CAMS ENSEMBLE data provider/);
      assert.match(JSON.stringify(body['attribution']), /CAMS ENSEMBLE data provider/);
      assert.equal(body['provider'], 'open-meteo');
    }
    assert.equal(fixture.stub.count(PATHS.openMeteoAir), 2);
  });

  it('have the category in the language of the request, from the same entry', async () => {
    const { body } = await get(at(AIR, 48.1, 11.6));
    const { body: german, headers } = await get(`${at(AIR, 48.1, 11.6)}&lang=de`);
    assert.equal(headers['content-language'], 'de');
    assert.notEqual(german['category'], body['category']);
    assert.equal(german['european_aqi'], body['european_aqi']);
    assert.equal(body['resolution_km'], 11);
    assert.equal(fixture.stub.count(PATHS.openMeteoAir), 1);
  });

  it('are null where the provider has null, and above 300 for the index of the EPA', async () => {
    const time = new Date(fixture.stub.now()).toISOString().slice(0, 13);
    const current = { time: `${time}:00`, us_aqi: 301, pm2_5: 250, european_aqi: null };
    fixture.stub.respond(PATHS.openMeteoAir, { current });
    const { body } = await get(at(AIR, 28.6, 77.2));
    const { us_aqi, pm2_5, european_aqi, category, ozone, resolution_km } = body;
    assert.deepEqual(
      [us_aqi, pm2_5, european_aqi, category, ozone, resolution_km],
      [null, 250, null, null, null, 45],
    );
  });

  it('of the air comes from the next provider with the same scale', async () => {
    fixture.stub.behave(PATHS.openMeteoAir, { kind: 'status', status: 503 });
    const { headers, body } = await get(at(AIR, 41.9, 12.5));
    assert.match(String(headers['x-weather-attribution']), /OpenWeather/);
    assert.equal(body['provider'], 'openweathermap');
    assert.equal(typeof body['european_aqi'], 'number');
    assert.deepEqual([body['us_aqi'], body['resolution_km']], [null, null]);
  });

  it('of pollen is 0 out of season, and null outside of Europe, without a call', async () => {
    const { body } = await get(at(POLLEN, 49.2, 16.6));
    assert.deepEqual([body['coverage'], body['birch_pollen']], ['europe', 0]);
    const calls = fixture.stub.calls.length;
    const { body: elsewhere } = await get(weatherOf('New York', 'USA', POLLEN));
    assert.deepEqual([elsewhere['coverage'], elsewhere['birch_pollen']], ['none', null]);
    assert.equal(fixture.stub.calls.length, calls);
  });
});

describe('air quality and pollen without Open-Meteo', () => {
  const fixture = useService({ WEATHER_PROVIDERS: 'met-norway' });

  it('are a 503 that says that no provider has them', async () => {
    const { kinds } = await fixture.service.waitFor('kinds_not_offered');
    assert.deepEqual(kinds, ['air-quality', 'pollen']);
    for (const path of [AIR, POLLEN]) {
      const { status, text } = await ask(fixture.url + weatherOf('Oslo', 'Norway', path));
      assert.equal(status, 503);
      assert.match(text, /No weather provider of this service has this data/);
    }
    assert.deepEqual(fixture.stub.calls, []);
  });
});
