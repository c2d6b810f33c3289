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
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();

beforeEach(() => {
  fixture.stub.reset();
});

for (const path of ['/api/v1/weather', '/api/weather']) {
  describe(`GET ${path}`, () => {
    it('returns exactly the weather, with null coordinates', async () => {
      const city = path === '/api/weather' ? 'Seattle' : 'Portland';
      const answer = await ask(fixture.url + weatherOf(city, 'USA', path));
      const [call] = fixture.stub.calls;
      assert.ok(call);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, {
        location: { city, country: 'USA', latitude: null, longitude: null },
        ...weatherGivenTo(call),
      });
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
    });

    it('rejects missing parameters, without a call', async () => {
      for (const query of [
        '',
        '?city=Seattle',
        '?country=USA',
        '?city=&country=USA',
        '?city=Seattle&country=',
        '?city=%20%20&country=USA',
        '?city=Seattle&country=+',
        '?city&country',
        '?City=Seattle&Country=USA',
        '?city=Sea%3Cttle',
        '?city[]=Seattle&country[]=USA',
        '?__proto__[city]=Seattle&country=USA',
      ]) {
        assertError(
          await ask(fixture.url + path + query),
          400,
          'Missing required parameters',
          "Both 'city' and 'country' parameters are required",
        );
      }
      assert.equal(fixture.stub.calls.length, 0);
    });

    it('rejects a value that is repeated, too long, or not a name, and names the field', async () => {
      const words = 'Only letters, spaces, hyphens and Unicode characters are allowed';
      for (const [query, error, message] of [
        ['city=Seattle&city=Seattle&country=USA', 'city must be a string', undefined],
        ['city=Seattle&country=USA&country=USA', 'country must be a string', undefined],
        [
          `city=${'a'.repeat(101)}&country=USA`,
          'city is too long',
          'city exceeds the maximum length of 100 characters',
        ],
        [
          `city=Seattle&country=${'a'.repeat(101)}`,
          'country is too long',
          'country exceeds the maximum length of 100 characters',
        ],
        ['city=Seattle&country=U$A', 'country contains invalid characters', words],
        ['city=Se;attle&country=U$A', 'city contains invalid characters', words],
      ] as const) {
        const answer = await ask(`${fixture.url}${path}?${query}`);
        const told = assertErrorForm(answer, 400, error);
        if (message !== undefined) assert.equal(told, message);
      }
      assert.equal(fixture.stub.calls.length, 0);
    });

    it('rejects an unknown place by its name, without a fetch of weather', async () => {
      for (const [city, country] of [
        ['Qwxyzzy', 'USA'],
        ['Seattle', 'Atlantis'],
        ['Seattle', 'France'],
      ] as const) {
        const answer = await ask(fixture.url + weatherOf(city, country, path));
        const message = assertErrorForm(answer, 400, 'Geocoding failed');
        assert.ok(message.includes(city) && message.includes(country), message);
      }
      assert.equal(fixture.stub.count(PATHS.openMeteo), 0);
    });

    it('does not interpret a misspelled name as another place', async () => {
      const answer = await ask(fixture.url + weatherOf('Seatle', 'USA', path));
      assert.match(assertErrorForm(answer, 400, 'Geocoding failed'), /'Seatle'.*Seattle/);
    });

    it('ignores unknown parameters', async () => {
      const answer = await ask(
        `${fixture.url}${weatherOf('Boston', 'USA', path)}&units=F&__proto__=x&constructor=y&lat=1`,
      );
      assert.equal(answer.status, 200);
    });
  });
}

describe('the location of a response', () => {
  it('has the trimmed spelling of the request', async () => {
    const answer = await ask(fixture.url + weatherOf('  new    YORK ', ' Usa '));
    assert.equal(answer.status, 200);
    assert.deepEqual((answer.json as { location: object }).location, {
      city: 'new YORK',
      country: 'Usa',
      latitude: null,
      longitude: null,
    });
  });
});
