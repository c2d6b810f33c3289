import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  assertError,
  assertErrorForm,
  useService,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stand-in.js';

const fixture = useService();

beforeEach(() => {
  fixture.standIn.reset();
});

for (const path of ['/api/v1/weather', '/api/weather']) {
  describe(`GET ${path}`, () => {
    it('answers the weather record exactly, with null coordinates', async () => {
      const city = path === '/api/weather' ? 'Seattle' : 'Portland';
      const answer = await ask(fixture.url + weatherOf(city, 'USA', path));
      const [call] = fixture.standIn.calls;
      assert.ok(call);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, {
        location: { city, country: 'USA', latitude: null, longitude: null },
        ...weatherGivenTo(call),
      });
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(fixture.standIn.count(PATHS.openMeteo), 1);
    });

    it('answers a second request without contacting the provider', async () => {
      const first = await ask(fixture.url + weatherOf('Boston', 'USA', path));
      const before = fixture.standIn.calls.length;
      const second = await ask(fixture.url + weatherOf('Boston', 'USA', path));
      assert.equal(second.status, 200);
      assert.deepEqual(second.json, first.json);
      assert.equal(second.headers['x-cache'], 'HIT');
      assert.equal(fixture.standIn.calls.length, before);
    });

    const missing = {
      nothing: '',
      'no country': '?city=Seattle',
      'no city': '?country=USA',
      'an empty city': '?city=&country=USA',
      'an empty country': '?city=Seattle&country=',
      'a blank city': '?city=%20%20&country=USA',
      'a blank country': '?city=Seattle&country=+',
      'parameters without values': '?city&country',
      'names in another case': '?City=Seattle&Country=USA',
      'something missing and something wrong': '?city=Sea%3Cttle',
    };
    for (const [what, query] of Object.entries(missing)) {
      it(`refuses ${what} as missing`, async () => {
        assertError(
          await ask(fixture.url + (path + query)),
          400,
          'Missing required parameters',
          "Both 'city' and 'country' parameters are required",
        );
        assert.equal(fixture.standIn.calls.length, 0);
      });
    }

    it('refuses a repeated parameter as no string', async () => {
      for (const [query, field] of [
        ['?city=Seattle&city=Seattle&country=USA', 'city'],
        ['?city=Seattle&country=USA&country=USA', 'country'],
      ] as const) {
        assertErrorForm(await ask(fixture.url + (path + query)), 400, `${field} must be a string`);
      }
    });

    it('refuses what is too long or has characters that no name has', async () => {
      assertError(
        await ask(fixture.url + weatherOf('a'.repeat(101), 'USA', path)),
        400,
        'city is too long',
        'city exceeds the maximum length of 100 characters',
      );
      assertError(
        await ask(fixture.url + weatherOf('Seattle', 'a'.repeat(101), path)),
        400,
        'country is too long',
        'country exceeds the maximum length of 100 characters',
      );
      for (const [city, country, field] of [
        ['<script>', 'USA', 'city'],
        ['Seattle', 'U$A', 'country'],
        ['Se;attle', 'U$A', 'city'],
      ] as const) {
        assertError(
          await ask(fixture.url + weatherOf(city, country, path)),
          400,
          `${field} contains invalid characters`,
          'Only letters, spaces, hyphens and Unicode characters are allowed',
        );
      }
      assert.equal(fixture.standIn.calls.length, 0);
    });

    it('refuses a place that does not exist, naming it, and asks no weather for it', async () => {
      const answer = await ask(fixture.url + weatherOf('Qwxyzzy', 'USA', path));
      const message = assertErrorForm(answer, 400, 'Geocoding failed');
      assert.match(message, /Qwxyzzy/);
      assert.match(message, /USA/);
      assert.equal(fixture.standIn.count(PATHS.openMeteo), 0);
    });

    it('refuses a country that does not exist, naming the place, and asks nobody', async () => {
      const answer = await ask(fixture.url + weatherOf('Seattle', 'Atlantis', path));
      const message = assertErrorForm(answer, 400, 'Geocoding failed');
      assert.match(message, /Seattle/);
      assert.match(message, /Atlantis/);
      assert.equal(fixture.standIn.calls.length, 0);
    });

    it('does not look for a city outside of the country', async () => {
      assertErrorForm(
        await ask(fixture.url + weatherOf('Seattle', 'France', path)),
        400,
        'Geocoding failed',
      );
    });

    it('does not take a misspelt name for another place', async () => {
      const answer = await ask(fixture.url + weatherOf('Seatle', 'USA', path));
      assert.match(assertErrorForm(answer, 400, 'Geocoding failed'), /'Seatle'.*Seattle/);
    });

    it('ignores parameters that it does not know', async () => {
      const answer = await ask(
        `${fixture.url}${weatherOf('Boston', 'USA', path)}&units=F&__proto__=x&constructor=y&lat=1`,
      );
      assert.equal(answer.status, 200);
    });
  });
}

describe('a place asked for by name', () => {
  it('trims and echoes the spelling of the request', async () => {
    const answer = await ask(fixture.url + weatherOf('  new    YORK ', ' Usa '));
    assert.equal(answer.status, 200);
    assert.deepEqual((answer.json as { location: object }).location, {
      city: 'new YORK',
      country: 'Usa',
      latitude: null,
      longitude: null,
    });
  });

  it('takes the most populous of the places with one name', async () => {
    await ask(fixture.url + weatherOf('Springfield', 'USA'));
    const [call] = fixture.standIn.calls;
    // Springfield, Missouri.
    assert.ok(Math.abs(Number(call?.query['latitude']) - 37.2) < 0.2, JSON.stringify(call?.query));
  });

  it('lets the country choose between places with one name', async () => {
    await ask(fixture.url + weatherOf('London', 'Canada'));
    const [call] = fixture.standIn.calls;
    assert.ok(Math.abs(Number(call?.query['longitude']) + 81.2) < 0.2, JSON.stringify(call?.query));
  });
});
