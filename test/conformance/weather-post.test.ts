import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import {
  assertError,
  assertErrorForm,
  useService,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { raw } from '../support/raw-request.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NOT_AN_OBJECT = ['Invalid request', 'Request body must be a JSON object'] as const;

beforeEach(() => {
  fixture.stub.reset();
});

for (const path of ['/api/v1/weather', '/api/weather']) {
  describe(`POST ${path}`, () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      ask(fixture.url + path, { method: 'POST', body, headers });

    it('returns the same body as GET, from the same cache', async () => {
      const city = path === '/api/weather' ? 'Seattle' : 'Portland';
      const answer = await post({ city, country: 'USA' });
      const [call] = fixture.stub.calls;
      assert.ok(call);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual(answer.json, {
        location: { city, country: 'USA', latitude: null, longitude: null },
        ...weatherGivenTo(call),
      });
      const get = await ask(fixture.url + weatherOf(city, 'USA', path));
      assert.deepEqual(get.json, answer.json);
      assert.equal(get.headers['x-cache'], 'HIT');
      assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
    });

    it('accepts the content type with parameters and in any case', async () => {
      for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
        const answer = await post('{"city":"Boston","country":"USA"}', { 'Content-Type': type });
        assert.equal(answer.status, 200, type);
      }
    });

    it('accepts a chunked body', async () => {
      const answer = await raw(
        fixture.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
        '10\r\n{"city":"Boston"\r\n',
        '10\r\n,"country":"US"}\r\n0\r\n\r\n',
      );
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.match(answer, /"city":"Boston","country":"US"/);
    });

    it('ignores unknown fields and the query string', async () => {
      const answer = await ask(`${fixture.url}${path}?city=Paris&country=France`, {
        method: 'POST',
        body: { city: 'Boston', country: 'USA', units: { deep: [1, { er: null }] } },
      });
      assert.equal((answer.json as { location: { city: string } }).location.city, 'Boston');
    });

    it('rejects missing fields, without a call', async () => {
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
        assertError(
          await post(body, JSON_TYPE),
          400,
          'Missing required fields',
          "Both 'city' and 'country' fields are required",
        );
      }
      assert.equal(fixture.stub.calls.length, 0);
    });

    it('rejects values that are not strings or not names, and names the field', async () => {
      for (const value of [5, false, [], ['Seattle'], { length: 3 }]) {
        const city = await post({ city: value, country: 'USA' });
        assertErrorForm(city, 400, 'city must be a string');
        const country = await post({ city: 'Seattle', country: value });
        assertErrorForm(country, 400, 'country must be a string');
      }
      for (const [body, error] of [
        [{ city: 'a'.repeat(101), country: 'USA' }, 'city is too long'],
        [{ city: 'Seattle', country: 'USA\u0000' }, 'country contains invalid characters'],
        [{ city: 'Sea\nttle', country: 'USA' }, 'city contains invalid characters'],
        ['{"city":"\\ud800","country":"USA"}', 'city contains invalid characters'],
      ] as const) {
        assertErrorForm(await post(body, JSON_TYPE), 400, error);
      }
    });

    it('rejects a body that is not a JSON object', async () => {
      for (const body of [
        ...['', '  ', '{"city":"Seattle"', '[{"city":"Seattle","country":"USA"}]', '"Seattle"'],
        ...['5', 'null', 'true', 'city=Seattle&country=USA', '{"city":NaN}'],
        '['.repeat(8000) + ']'.repeat(8000),
        '{"a":'.repeat(3000),
      ]) {
        assertError(await post(body, JSON_TYPE), 400, ...NOT_AN_OBJECT);
      }
      const none = await ask(fixture.url + path, { method: 'POST', headers: JSON_TYPE });
      assertError(none, 400, ...NOT_AN_OBJECT);
    });

    it('rejects a body of another content type, or of none', async () => {
      const body = '{"city":"Seattle","country":"USA"}';
      for (const type of [
        ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense'],
        ...['application/vnd.api+json', 'application/json; charset=utf-16'],
      ]) {
        assertError(await post(body, { 'Content-Type': type }), 400, ...NOT_AN_OBJECT);
      }
      assertError(await post(body), 400, ...NOT_AN_OBJECT);
    });

    it('rejects a body with a content coding', async () => {
      for (const coding of ['gzip', 'GZIP', 'br', 'identity, gzip', 'x']) {
        const headers = { ...JSON_TYPE, 'Content-Encoding': coding };
        for (const body of ['\u001f\u008b', { city: 'Seattle', country: 'USA' }]) {
          assertError(await post(body, headers), 400, ...NOT_AN_OBJECT);
        }
      }
    });

    it('accepts a body of 16 KiB, and rejects a body of one more byte', async () => {
      const body = (size: number) => {
        const start = '{"city":"Boston","country":"USA","rest":"';
        return `${start}${'x'.repeat(size - start.length - 2)}"}`;
      };
      assert.equal((await post(body(16 * 1024), JSON_TYPE)).status, 200);
      assertErrorForm(await post(body(16 * 1024 + 1), JSON_TYPE), 413, 'Payload too large');
    });

    it('rejects an unknown place with 400', async () => {
      const answer = await post({ city: 'Qwxyzzy', country: 'USA' });
      assert.match(assertErrorForm(answer, 400, 'Geocoding failed'), /Qwxyzzy/);
    });
  });
}

describe('a POST body that is too large', () => {
  it('is rejected with 413 from 2 MB on, however the client sends it', async () => {
    for (const size of [2_000_000, 8_000_000]) {
      const huge = `{"city":"${'x'.repeat(size)}"}`;
      const length = { 'Content-Length': String(huge.length) };
      for (let time = 0; time < 2; time += 1) {
        for (const headers of [length, { 'Transfer-Encoding': 'chunked' }]) {
          const answer = await ask(`${fixture.url}/api/v1/weather`, {
            method: 'POST',
            body: huge,
            headers: { ...JSON_TYPE, ...headers },
          });
          assertErrorForm(answer, 413, 'Payload too large');
        }
        // This client reports an error if the connection is closed while it sends.
        const fetched = await fetch(`${fixture.url}/api/v1/weather`, {
          method: 'POST',
          body: huge,
          headers: JSON_TYPE,
        });
        assert.equal(fetched.status, 413);
      }
    }
  });

  it('is rejected before the rest of it arrives', async () => {
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
