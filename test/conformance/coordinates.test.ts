import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  assertError,
  assertErrorForm,
  useService,
  weatherAt,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();
const PATH = '/api/v1/weather/coordinates';

beforeEach(() => {
  fixture.stub.reset();
});

describe('GET /api/v1/weather/coordinates', () => {
  it('returns the weather with the nearest place and the requested numbers', async () => {
    const answer = await ask(fixture.url + weatherAt('47.60621', '-122.33207'));
    const [call] = fixture.stub.calls;
    assert.ok(call);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, {
      location: {
        city: 'Seattle',
        country: 'United States',
        latitude: 47.60621,
        longitude: -122.33207,
      },
      ...weatherGivenTo(call),
    });
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  });

  it('accepts integers, signs, and many decimals, and returns numbers', async () => {
    for (const [lat, lon, latitude, longitude] of [
      ['48', '11', 48, 11],
      ['+48.1', '+11.5', 48.1, 11.5],
      ['048.10', '011.50', 48.1, 11.5],
      ['48.137430000000001', '11.57549', 48.13743, 11.57549],
      ['0.481e+2', '115E-1', 48.1, 11.5],
      ['48.', '+11.', 48, 11],
      [' 48.1', ' 11.5 ', 48.1, 11.5],
      ['.481e2', '-.5e-3', 48.1, -0.0005],
      // The number is printed in this form in a response.
      ['51.5', '1e-7', 51.5, 1e-7],
    ] as const) {
      const answer = await ask(fixture.url + weatherAt(lat, lon));
      assert.equal(answer.status, 200, `${lat} ${lon}`);
      const { location } = answer.json as { location: Record<string, unknown> };
      assert.deepEqual([location['latitude'], location['longitude']], [latitude, longitude]);
    }
  });

  it('rounds to four decimals for the cache only', async () => {
    const first = await ask(fixture.url + weatherAt('52.520001', '13.404999'));
    const second = await ask(fixture.url + weatherAt('52.519999', '13.405001'));
    assert.deepEqual([first.headers['x-cache'], second.headers['x-cache']], ['MISS', 'HIT']);
    assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
    assert.equal((second.json as { location: { latitude: number } }).location.latitude, 52.519999);
    const third = await ask(fixture.url + weatherAt('52.5201', '13.405'));
    assert.equal(third.headers['x-cache'], 'MISS');
  });

  it('shares the fetch with the city at this point, but not the location', async () => {
    await ask(fixture.url + weatherOf('Hamburg', 'Germany'));
    const { latitude = '', longitude = '' } = fixture.stub.calls[0]?.query ?? {};
    const byPoint = await ask(fixture.url + weatherAt(latitude, longitude));
    const byCity = await ask(fixture.url + weatherOf('hamburg', 'DE'));
    assert.equal(fixture.stub.calls.length, 1);
    const locations = [byPoint, byCity].map(({ json }) => (json as { location: object }).location);
    const point = { latitude: Number(latitude), longitude: Number(longitude) };
    assert.deepEqual(locations, [
      { city: 'Hamburg', country: 'Germany', ...point },
      { city: 'hamburg', country: 'DE', latitude: null, longitude: null },
    ]);
  });

  it('rejects a missing parameter', async () => {
    const blank = ['lat=&lon=1', 'lat=1&lon=%20', 'lat=1&lon=%09', 'lat&lon'];
    for (const query of ['', 'lat=1', 'lon=1', 'lat=x', ...blank]) {
      assertError(
        await ask(`${fixture.url}${PATH}?${query}`),
        400,
        'Missing required parameters',
        "Both 'lat' and 'lon' parameters are required",
      );
    }
  });

  it('rejects a value that is not one decimal number, and names it', async () => {
    const words =
      'x NaN Infinity 5e 5e+ 5.e e5 0x10 . + - +. -.e1 --5 +-5 1.2.3 1,5 ４７ ٣ −5'.split(' ');
    for (const value of [...words, '5 5', '- 5', '5\n', '\t5']) {
      const lat = await ask(fixture.url + weatherAt(value, '1'));
      assert.match(assertErrorForm(lat, 400, 'Invalid coordinates'), /^lat /, value);
      const lon = await ask(fixture.url + weatherAt('1', value));
      assert.match(assertErrorForm(lon, 400, 'Invalid coordinates'), /^lon /, value);
    }
    for (const query of ['lat=1&lat=1&lon=1', 'lat=1&lon=1&lon=2']) {
      assertErrorForm(await ask(`${fixture.url}${PATH}?${query}`), 400, 'Invalid coordinates');
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('rejects a value out of range, and names the range', async () => {
    for (const lat of ['90.0001', '-90.0001', '1e400', `9${'0'.repeat(400)}`]) {
      const answer = await ask(fixture.url + weatherAt(lat, '0'));
      assert.match(assertErrorForm(answer, 400, 'Invalid coordinates'), /^lat .*-90.*90/, lat);
    }
    for (const lon of ['180.0001', '-180.0001']) {
      const answer = await ask(fixture.url + weatherAt('0', lon));
      assert.match(assertErrorForm(answer, 400, 'Invalid coordinates'), /^lon .*-180.*180/, lon);
    }
    // The ends themselves are valid: there is only no city.
    for (const [lat, lon] of [
      ['90', '0'],
      ['-90.0', '-180.000'],
      ['0', '180'],
    ] as const) {
      assertErrorForm(await ask(fixture.url + weatherAt(lat, lon)), 400, 'Geocoding failed');
    }
  });

  it('fails in the open sea, names the point, and calls no provider', async () => {
    const answer = await ask(fixture.url + weatherAt('-48.8767', '-123.3933'));
    const message = assertErrorForm(answer, 400, 'Geocoding failed');
    assert.match(message, /-48\.8767/);
    assert.match(message, /-123\.3933/);
    assert.equal(fixture.stub.calls.length, 0);
  });
});
