import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertErrorForm, useService, weatherAt, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

/** Every endpoint validates names. `test/place-names.test.ts` tests which texts are names. */

const fixture = useService();

beforeEach(() => {
  fixture.stub.reset();
});

/** Values of a query string. Neither they nor their decoded forms are names. */
const ENCODED = [
  ...['%00', 'Seattle%00', 'Seattle%0A', 'Sea%0D%0Attle', '%7F', '%EF%BB%BFSeattle', '%1B%5B31m'],
  ...['%ED%A0%80', '%ED%A0%80%ED%B0%80', '%FF', '%C0%AF', 'S%E3o%20Paulo', '%', '%zz', '%25'],
  ...['%2e%2e%2f', '%3Cscript%3E', '%27%20OR%20%271', 'union%20select', 'a+%2B+b', '__proto__'],
];

describe('names in a lookup', () => {
  for (const [field, other] of [
    ['city', 'country=USA'],
    ['country', 'city=Seattle'],
  ] as const) {
    it(`an invalid ${field} is rejected in every encoding, without a call`, async () => {
      for (const value of ENCODED) {
        const answer = await ask(`${fixture.url}/api/weather?${field}=${value}&${other}`);
        const expected = {
          error: `${field} contains invalid characters`,
          message: 'Only letters, spaces, hyphens and Unicode characters are allowed',
        };
        assert.deepEqual([answer.status, answer.json], [400, expected], value);
      }
      assert.equal(fixture.stub.calls.length, 0);
    });
  }

  it('of 100 code points after composing are accepted everywhere, of 101 nowhere', async () => {
    const everyWay = (city: string, country: string) =>
      Promise.all([
        ask(fixture.url + weatherOf(city, country)),
        ask(fixture.url + weatherOf(city, country, '/api/weather')),
        ask(`${fixture.url}/api/v1/weather`, { method: 'POST', body: { city, country } }),
        ask(`${fixture.url}/api/weather`, { method: 'POST', body: { city, country } }),
      ]);
    const letter = 'é'.normalize('NFD');
    for (const [city, country, error] of [
      [letter.repeat(100), 'USA', 'Geocoding failed'],
      [letter.repeat(101), 'USA', 'city is too long'],
      ['Seattle', letter.repeat(101), 'country is too long'],
    ] as const) {
      for (const answer of await everyWay(city, country)) assertErrorForm(answer, 400, error);
    }
    // A query of this length is rejected before it is parsed.
    const [get, legacy, ...posts] = await everyWay('x'.repeat(10_000), 'USA');
    for (const answer of [get, legacy]) assertErrorForm(answer, 400, 'Bad request');
    for (const answer of posts) assertErrorForm(answer, 400, 'city is too long');
  });

  it('of object properties are ordinary names', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN']) {
      assertErrorForm(await ask(fixture.url + weatherOf(name, 'USA')), 400, 'Geocoding failed');
      assertErrorForm(await ask(fixture.url + weatherOf('Seattle', name)), 400, 'Geocoding failed');
    }
  });

  it('that aim at slow patterns are rejected, hundreds of them', async () => {
    const hostile = [
      weatherOf("' ".repeat(45) + 'o', 'USA'),
      weatherOf('select '.repeat(14), 'USA'),
      weatherOf('- '.repeat(50), 'USA'),
      weatherOf(`${'a '.repeat(49)}<`, 'USA'),
      weatherAt(`${'1'.repeat(12_000)}x`, '1'),
    ];
    // A pattern that takes a tenth of a second for one takes longer than `ask` waits for all.
    for (let round = 0; round < 20; round += 1) {
      // At most as many as a busy machine accepts within a second.
      const asked = Array.from({ length: 25 }, (_, n) => ask(fixture.url + hostile[n % 5]!));
      for (const { status } of await Promise.all(asked)) assert.equal(status, 400);
    }
  });

  it('of different places never share a cache entry', async () => {
    // Their keys would be equal if the parts of a key were not separated.
    const tags = new Set<unknown>();
    for (const [city, country] of [
      ['San Marino', 'San Marino'],
      ['Nice', 'France'],
      ['Paris', 'France'],
      ['Paris', 'USA'],
    ]) {
      const answer = await ask(fixture.url + weatherOf(city!, country!));
      assert.equal(answer.status, 200, city);
      const { location } = answer.json as { location: object };
      assert.deepEqual(location, { city, country, latitude: null, longitude: null });
      tags.add(answer.headers.etag);
    }
    assert.equal(tags.size, 4);
    assert.equal(fixture.stub.count(PATHS.openMeteo), 4);
  });
});
