import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, useService } from '../support/conformance.js';
import { ask, type Answer } from '../support/http-client.js';

const PATH = '/api/v1/places';
const placesOf = (query: Record<string, string>) =>
  `${PATH}?${new URLSearchParams(query).toString()}`;

interface Place {
  city: string;
  country: string;
  country_code: string;
  region: string | null;
  latitude: number;
  longitude: number;
}

const listOf = ({ json }: Answer) => (json as { places: Place[] }).places;

describe(`GET ${PATH}`, () => {
  const fixture = useService({ RATE_LIMIT_PER_IP: '1000' });

  it('returns places with all fields, five of them by default', async () => {
    const answer = await ask(fixture.url + placesOf({ q: 'pots', limit: '1' }));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, {
      places: [
        {
          city: 'Potsdam',
          country: 'Germany',
          country_code: 'DE',
          region: 'Brandenburg',
          latitude: 52.39886,
          longitude: 13.06566,
        },
      ],
    });
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'public, max-age=86400');
    assert.equal(answer.headers.etag, undefined);
    assert.deepEqual(answer.cookies, []);
    assert.equal(listOf(await ask(fixture.url + placesOf({ q: 'san' }))).length, 5);
    assert.equal(listOf(await ask(fixture.url + placesOf({ q: 'san', limit: '10' }))).length, 10);
    // A final space is the end of a word, also one of another script.
    for (const q of [' San ', 'San\u3000', 'Ｓａｎ\u00a0\u200b']) {
      const [first] = listOf(await ask(fixture.url + placesOf({ q })));
      assert.equal(first?.city, 'San Diego', q);
    }
    assert.equal(fixture.stub.calls.length, 0, 'no network is needed');
  });

  it('searches in one country, by any name of the country', async () => {
    for (const country of ['usa', ' Vereinigte  Staaten ']) {
      const list = listOf(await ask(fixture.url + placesOf({ q: 'san', country })));
      assert.deepEqual([list[0]?.city, list[0]?.country_code], ['San Diego', 'US'], country);
    }
    const blank = await ask(fixture.url + placesOf({ q: 'san', country: ' ' }));
    const none = await ask(fixture.url + placesOf({ q: 'san' }));
    assert.deepEqual(blank.json, none.json);
  });

  it('rejects a missing or invalid parameter, and names it', async () => {
    const charactersBut = (found: string) =>
      `Only letters, spaces, hyphens and Unicode characters are allowed. ${found} is not.`;
    const limits = ['0', '11', '-1', '', '5&limit=5', '%205'];
    const refused: [query: string, error: string, message: string][] = [
      ['', 'Missing required parameters', "The parameter 'q' is required"],
      ['?q=%20', 'Missing required parameters', "The parameter 'q' is required"],
      ['?q=a&q=b', 'q must be a string', 'q must be one string'],
      [`?q=${'a'.repeat(101)}`, 'q is too long', 'q exceeds the maximum length of 100 characters'],
      ['?q=a%3Cb', 'q contains invalid characters', charactersBut("'<' (U+003C)")],
      ['?q=a&country=US&country=DE', 'country must be a string', 'country must be one string'],
      ['?q=a&country=U1', 'country contains invalid characters', charactersBut("'1' (U+0031)")],
      ['?q=a&country=Atlantis', 'Geocoding failed', "No country is called 'Atlantis'."],
      ...limits.map((limit): [string, string, string] => [
        `?q=a&limit=${limit}`,
        'Invalid limit',
        'limit must be a whole number from 1 to 10',
      ]),
    ];
    for (const [query, error, message] of refused) {
      assertError(await ask(fixture.url + PATH + query), 400, error, message);
    }
  });
});
