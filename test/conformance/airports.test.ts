import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();
const PATH = '/api/v1/conditions/airport';
const at = (code: string, path = PATH) =>
  ask(`${fixture.url}${path}?${new URLSearchParams({ code }).toString()}`);

describe(`GET ${PATH}`, () => {
  it('has the airport in `place`, and its position in `location`, for every spelling of its code', async () => {
    const point = { latitude: 48.3538, longitude: 11.7861 };
    for (const code of ['MUC', 'muc', ' Muc ', 'ＭＵＣ', 'EDDM', 'eddm']) {
      const { status, json, cookies } = await at(code);
      const { location, place } = json as Record<string, object>;
      assert.deepEqual([status, cookies], [200, []], code);
      assert.deepEqual(location, { city: 'Munich', country: 'Germany', ...point });
      assert.deepEqual(place, {
        ...{ city: 'Munich', region: 'Bavaria', country: 'Germany', country_code: 'DE' },
        ...{ ...point, timezone: 'Europe/Berlin', airport: 'Munich Airport' },
        code: code.length > 4 || code.length === 3 ? 'MUC' : 'EDDM',
      });
    }
  });

  it('shares its data with its coordinates, and the code of a city with the city', async () => {
    const { stub } = fixture;
    await at('OSL');
    const calls = stub.count(PATHS.openMeteo);
    const point = await ask(`${fixture.url}/api/v1/conditions/coordinates?lat=60.1939&lon=11.1004`);
    assert.equal(point.headers['x-cache'], 'HIT');
    assert.equal('airport' in (point.json as { place: object }).place, false);
    await ask(fixture.url + weatherOf('Tokyo', 'Japan', '/api/v1/conditions'));
    const { headers, json } = await at('TYO');
    const { place } = json as { place: Record<string, unknown> };
    assert.deepEqual([headers['x-cache'], place['airport'], place['code']], ['HIT', null, 'TYO']);
    assert.equal(stub.count(PATHS.openMeteo), calls + 1);
  });

  it('rejects what is no code, and a code that is not known', async () => {
    for (const code of ['MU', 'MUNICH', 'M C', 'MÜC', '1234', '12A', 'MUC,JFK']) {
      const rule =
        'The code of an airport has three letters (IATA, such as MUC) or four (ICAO, such as EDDM)';
      assertError(await at(code), 400, 'Invalid code', rule);
    }
    assertError(
      await at('txl'),
      400,
      'Geocoding failed',
      "No airport with the code 'TXL' is known: it may be closed, small, or new. Write the name of the city.",
    );
    const missing = "The parameter 'code' is required";
    for (const query of ['', '?code=', '?code=%20', '?city=MUC']) {
      const { status, json } = await ask(fixture.url + PATH + query);
      const { message } = json as { message: string };
      assert.ok(status === 400 && message.startsWith(missing), message);
    }
    const twice = await ask(`${fixture.url}${PATH}?code=MUC&code=JFK`);
    assertError(twice, 400, 'code must be a string', 'code must be one string');
  });
});

it('a request by airport has its code in its record', async () => {
  const headers = { 'X-Request-ID': 'by-code' };
  await ask(`${fixture.url}${PATH}?code=lpb`, { headers });
  await ask(`${fixture.url}${PATH}?code=nowhere`, { headers: { 'X-Request-ID': 'no-code' } });
  const recordOf = (id: string) =>
    fixture.service.waitFor(
      'weather_request',
      (record) => Reflect.get(record, 'request_id') === id,
    );
  const { code, city, place, latitude } = (await recordOf('by-code')) as Record<string, unknown>;
  assert.deepEqual(
    [code, city, place, latitude],
    ['LPB', 'La Paz', 'La Paz, La Paz Department, BO', -16.5133],
  );
  assert.equal(Reflect.get(await recordOf('no-code'), 'code'), 'nowhere');
});
