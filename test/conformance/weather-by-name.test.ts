import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import {
  assertError,
  assertErrorForm,
  useService,
  weatherAt,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { type Answer, ask } from '../support/http-client.js';
import { raw } from '../support/raw-request.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();
const PATH = '/api/v1/weather';
const ALIAS = '/api/weather';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const CHARACTERS = 'Only letters, spaces, hyphens and Unicode characters are allowed';

const post = (body: unknown, headers: Record<string, string> = {}, path = PATH) =>
  ask(fixture.url + path, { method: 'POST', body, headers });

function assertNotAnObject(answer: Answer): void {
  assertError(answer, 400, 'Invalid request', 'Request body must be a JSON object');
}

beforeEach(() => {
  fixture.stub.reset();
});

describe('the weather by name', () => {
  for (const [path, city, other] of [
    [PATH, 'Portland', 'Boston'],
    [ALIAS, 'Seattle', 'Denver'],
  ] as const) {
    it(`is returned by GET and POST ${path}, with null coordinates, from one cache`, async () => {
      const got = await ask(fixture.url + weatherOf(city, 'USA', path));
      const [call] = fixture.stub.calls;
      assert.ok(call);
      assert.equal(got.status, 200);
      assert.equal(got.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual(got.json, {
        location: { city, country: 'USA', latitude: null, longitude: null },
        ...weatherGivenTo(call),
      });
      const posted = await post({ city, country: 'USA' }, {}, path);
      assert.equal(posted.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual([posted.json, posted.headers['x-cache']], [got.json, 'HIT']);
      const first = await post({ city: other, country: 'USA' }, {}, path);
      assert.deepEqual([first.status, first.headers['x-cache']], [200, 'MISS']);
      assert.equal(fixture.stub.count(PATHS.openMeteo), 2);
    });
  }

  it('has the trimmed spelling of the request in its location', async () => {
    const answer = await ask(fixture.url + weatherOf('  new    YORK ', ' Usa '));
    const location = { city: 'new YORK', country: 'Usa', latitude: null, longitude: null };
    assert.deepEqual((answer.json as { location: object }).location, location);
  });

  it('does not depend on unknown parameters and fields', async () => {
    const query = '&units=F&__proto__=x&constructor=y&toString&lat=1';
    const got = await ask(fixture.url + weatherOf('Boston', 'USA') + query);
    assert.equal(got.status, 200);
    const posted = await ask(`${fixture.url}${PATH}?city=Paris&country=France`, {
      method: 'POST',
      body: { city: 'Boston', country: 'USA', units: { deep: [1, { er: null }] } },
    });
    assert.deepEqual(posted.json, got.json);
  });

  it('of an unknown place is 400 with its name, without a fetch of weather', async () => {
    for (const [city, country] of [
      ['Qwxyzzy', 'USA'],
      ['Seattle', 'Atlantis'],
      ['Seattle', 'France'],
      ['constructor', 'USA'],
      ['Seattle', 'hasOwnProperty'],
    ] as const) {
      const answers = [
        await ask(fixture.url + weatherOf(city, country)),
        await post({ city, country }),
      ];
      for (const answer of answers) {
        const message = assertErrorForm(answer, 400, 'Geocoding failed');
        assert.ok(message.includes(city) && message.includes(country), message);
      }
    }
    assert.equal(fixture.stub.count(PATHS.openMeteo), 0);
  });

  it('of a misspelled name is not the weather of another place', async () => {
    const answer = await ask(fixture.url + weatherOf('Seatle', 'USA'));
    assert.match(assertErrorForm(answer, 400, 'Geocoding failed'), /'Seatle'.*Seattle/);
  });

  it('of different places never shares a cache entry', async () => {
    // Their keys would be equal if the parts of a key were not separated.
    const tags = new Set<unknown>();
    for (const [city, country] of [
      ['San Marino', 'San Marino'],
      ['Nice', 'France'],
      ['Paris', 'France'],
      ['Paris', 'USA'],
    ] as const) {
      const answer = await ask(fixture.url + weatherOf(city, country));
      assert.equal(answer.status, 200, city);
      tags.add(answer.headers.etag);
    }
    assert.equal(tags.size, 4);
    assert.equal(fixture.stub.count(PATHS.openMeteo), 4);
  });
});

describe('a name', () => {
  it('that is missing in the query is reported, without a call', async () => {
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
      const message = "Both 'city' and 'country' parameters are required";
      const answer = await ask(fixture.url + PATH + query);
      assertError(answer, 400, 'Missing required parameters', message);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is missing in the body is reported, without a call', async () => {
    for (const body of [
      {},
      { city: 'Seattle' },
      { country: 'USA' },
      { city: null, country: 'USA' },
      { city: '', country: 'USA' },
      { city: 'Seattle', country: '   ' },
      { city: 5 },
      '{"__proto__":{"city":"Seattle","country":"USA"}}',
    ]) {
      const message = "Both 'city' and 'country' fields are required";
      assertError(await post(body, JSON_TYPE), 400, 'Missing required fields', message);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is repeated or not a name is rejected, and its field is reported', async () => {
    for (const [query, error, message] of [
      ['city=A&city=A&country=USA', 'city must be a string', 'city must be one string'],
      ['city=A&country=B&country=C', 'country must be a string', 'country must be one string'],
      ['city=Seattle&country=U$A', 'country contains invalid characters', CHARACTERS],
      ['city=Se;attle&country=U$A', 'city contains invalid characters', CHARACTERS],
    ] as const) {
      assertError(await ask(`${fixture.url}${PATH}?${query}`), 400, error, message);
    }
    for (const value of [5, false, [], ['Seattle'], { length: 3 }]) {
      const city = await post({ city: value, country: 'USA' });
      assertErrorForm(city, 400, 'city must be a string');
      const country = await post({ city: 'Seattle', country: value });
      assertErrorForm(country, 400, 'country must be a string');
    }
    for (const [body, error] of [
      [{ city: 'Seattle', country: 'USA\u0000' }, 'country contains invalid characters'],
      ['{"city":"\\ud800","country":"USA"}', 'city contains invalid characters'],
    ] as const) {
      assertErrorForm(await post(body, JSON_TYPE), 400, error);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is invalid is rejected in every encoding', async () => {
    for (const value of [
      '%00',
      'Seattle%00',
      'Seattle%0A',
      'Sea%0D%0Attle',
      '%7F',
      '%EF%BB%BFSeattle',
      '%1B%5B31m',
      '%ED%A0%80',
      '%ED%A0%80%ED%B0%80',
      '%FF',
      '%C0%AF',
      'S%E3o%20Paulo',
      '%',
      '%zz',
      '%25',
      '%2e%2e%2f',
      '%3Cscript%3E',
      '%27%20OR%20%271',
      'union%20select',
      'a+%2B+b',
      '__proto__',
    ]) {
      const answer = await ask(`${fixture.url}${PATH}?city=${value}&country=USA`);
      assertError(answer, 400, 'city contains invalid characters', CHARACTERS);
    }
  });

  it('may have 100 code points after composing, and not 101', async () => {
    const letter = 'é'.normalize('NFD');
    const tooLong = (field: string) => `${field} exceeds the maximum length of 100 characters`;
    for (const [city, country, error, words] of [
      [letter.repeat(100), 'USA', 'Geocoding failed', ''],
      [letter.repeat(101), 'USA', 'city is too long', tooLong('city')],
      ['Seattle', letter.repeat(101), 'country is too long', tooLong('country')],
    ] as const) {
      const got = await ask(fixture.url + weatherOf(city, country));
      const posted = await post({ city, country });
      for (const answer of [got, posted]) {
        assert.ok(assertErrorForm(answer, 400, error).includes(words));
      }
    }
    const posted = await post({ city: 'x'.repeat(10_000), country: 'USA' });
    assertErrorForm(posted, 400, 'city is too long');
  });

  it('that could make a regular expression slow is rejected', async () => {
    const hostile = [
      weatherOf("' ".repeat(45) + 'o', 'USA'),
      weatherOf('select '.repeat(14), 'USA'),
      weatherOf('- '.repeat(50), 'USA'),
      weatherOf(`${'a '.repeat(49)}<`, 'USA'),
      weatherAt(`${'1'.repeat(12_000)}x`, '1'),
    ];
    // Each round has five requests of each kind. If a pattern took six seconds for each of them, `ask` would time out.
    for (let round = 0; round < 20; round += 1) {
      // A busy machine accepts this many requests within a second.
      const asked = Array.from({ length: 25 }, (_, n) => ask(fixture.url + hostile[n % 5]!));
      for (const { status } of await Promise.all(asked)) assert.equal(status, 400);
    }
  });
});

describe('a POST body', () => {
  it('may have a content type with parameters and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      const answer = await post('{"city":"Boston","country":"USA"}', { 'Content-Type': type });
      assert.equal(answer.status, 200, type);
    }
  });

  it('may be chunked', async () => {
    const answer = await raw(
      fixture.url,
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
      '10\r\n{"city":"Boston"\r\n',
      '10\r\n,"country":"US"}\r\n0\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /"city":"Boston","country":"US"/);
  });

  it('that is not a JSON object is rejected', async () => {
    for (const body of [
      '',
      '  ',
      '{"city":"Seattle"',
      '[{"city":"Seattle","country":"USA"}]',
      '"Seattle"',
      '5',
      'null',
      'true',
      'city=Seattle&country=USA',
      '{"city":NaN}',
      '['.repeat(8000) + ']'.repeat(8000),
      '{"a":'.repeat(3000),
    ]) {
      assertNotAnObject(await post(body, JSON_TYPE));
    }
    const none = await ask(fixture.url + PATH, { method: 'POST', headers: JSON_TYPE });
    assertNotAnObject(none);
  });

  it('of another content type, or with a content coding, is rejected', async () => {
    const body = '{"city":"Seattle","country":"USA"}';
    assertNotAnObject(await post(body));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/vnd.api+json',
      'application/json; charset=utf-16',
      'nonsense',
    ]) {
      assertNotAnObject(await post(body, { 'Content-Type': type }));
    }
    for (const coding of ['gzip', 'GZIP', 'br', 'identity, gzip', 'x']) {
      assertNotAnObject(await post(body, { ...JSON_TYPE, 'Content-Encoding': coding }));
    }
  });

  it('may have 16 KiB, and not one byte more', async () => {
    const body = (size: number) => {
      const start = '{"city":"Boston","country":"USA","rest":"';
      return `${start}${'x'.repeat(size - start.length - 2)}"}`;
    };
    assert.equal((await post(body(16 * 1024), JSON_TYPE)).status, 200);
    assertErrorForm(await post(body(16 * 1024 + 1), JSON_TYPE), 413, 'Payload too large');
  });

  it('of several megabytes is rejected with 413, however the client sends it', async () => {
    const huge = `{"city":"${'x'.repeat(8_000_000)}"}`;
    const length = { 'Content-Length': String(huge.length) };
    for (const headers of [length, { 'Transfer-Encoding': 'chunked' }]) {
      assertErrorForm(await post(huge, { ...JSON_TYPE, ...headers }), 413, 'Payload too large');
    }
    // This client reports an error if the connection is closed while it sends.
    const options = { method: 'POST', body: huge, headers: JSON_TYPE };
    assert.equal((await fetch(fixture.url + PATH, options)).status, 413);
  });

  it('that is too large is rejected before the rest of it arrives', async () => {
    const { hostname, port } = new URL(fixture.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/weather HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        'Content-Length: 2000000\r\n\r\n{"city":"',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
  });
});
