import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, useService, weatherOf } from '../support/conformance.js';
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
    for (const [limit, length] of [
      ['10', 10],
      ['1', 1],
      [undefined, 5],
    ] as const) {
      const list = listOf(await ask(fixture.url + placesOf({ q: 'san', ...(limit && { limit }) })));
      assert.equal(list.length, length);
    }
    assert.equal(fixture.stub.calls.length, 0, 'no network is needed');
  });

  it('searches in one country, by any name of the country', async () => {
    for (const country of ['US', 'usa', 'Vereinigte Staaten', ' United  States ']) {
      const list = listOf(await ask(fixture.url + placesOf({ q: 'san', country })));
      assert.deepEqual([list[0]?.city, list[0]?.country_code], ['San Diego', 'US'], country);
    }
    const blank = await ask(fixture.url + placesOf({ q: 'san', country: ' ' }));
    const none = await ask(fixture.url + placesOf({ q: 'san' }));
    assert.deepEqual(blank.json, none.json);
  });

  it('interprets a final space as the end of a word', async () => {
    const list = listOf(await ask(fixture.url + placesOf({ q: ' San ' })));
    assert.deepEqual(
      list.slice(0, 2).map(({ city }) => city),
      ['San Diego', 'San Francisco'],
    );
  });

  it('returns an empty list if no name begins with the text', async () => {
    for (const q of ['xqzwvk', '-', ',']) {
      const answer = await ask(fixture.url + placesOf({ q }));
      assert.deepEqual([answer.status, answer.json], [200, { places: [] }], q);
    }
  });

  it('suggests names that lookups find at the same point', async () => {
    fixture.stub.reset();
    for (const place of listOf(
      await ask(fixture.url + placesOf({ q: 'springfield', limit: '3' })),
    )) {
      const answer = await ask(fixture.url + weatherOf(place.city, place.country));
      assert.equal(answer.status, 200, place.city);
      const { query } = fixture.stub.calls.at(-1) ?? {};
      const asked = [Number(query?.['latitude']), Number(query?.['longitude'])];
      for (const [i, degrees] of [place.latitude, place.longitude].entries()) {
        assert.ok(Math.abs((asked[i] ?? NaN) - degrees) < 0.001, place.city);
      }
    }
  });

  it('rejects a missing or invalid parameter, and names it', async () => {
    const characters = 'Only letters, spaces, hyphens and Unicode characters are allowed';
    const limits = ['0', '11', '-1', '1.5', 'five', '', '5&limit=5', '1e1', '%205', '%D9%A3'];
    const refused: [query: string, error: string, message: string][] = [
      ['', 'Missing required parameters', "The parameter 'q' is required"],
      ['?q=%20', 'Missing required parameters', "The parameter 'q' is required"],
      ['?q=a&q=b', 'q must be a string', 'q must be one string'],
      [`?q=${'a'.repeat(101)}`, 'q is too long', 'q exceeds the maximum length of 100 characters'],
      ['?q=a%3Cb', 'q contains invalid characters', characters],
      ['?q=a&country=US&country=DE', 'country must be a string', 'country must be one string'],
      ['?q=a&country=U1', 'country contains invalid characters', characters],
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
