import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { LocationEndpoint } from '../../src/http/endpoints/endpoint.js';
import type { RequestedBy } from '../../src/http/endpoints/location-ways.js';
import { LOCATION_ENDPOINTS, waysOf } from '../../src/http/endpoints/location-routes.js';
import { exampleLocation } from '../../tools/openapi/description.js';
import { POINT_KINDS, TTLS } from '../../src/weather/kinds/kinds.js';
import { assertError, assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { anyClient, ask, type Answer, type RequestOptions } from '../support/http-client.js';

/** What every endpoint about a location does, whatever its data. */

const LIMIT = 3;
const INVALID = ['-1', '+3', '0', '1.5', '', '0x3', '３', ' 3', '3 ', '03', '999', '1e1'];

const cases = LOCATION_ENDPOINTS.flatMap((endpoint) =>
  waysOf(endpoint).flatMap(({ by, isBody }) => (isBody ? [] : [{ endpoint, by }])),
);

/** The target of a valid request. */
function targetOf(endpoint: LocationEndpoint, by: RequestedBy, more: Record<string, string> = {}) {
  const { city, country, latitude, longitude } = exampleLocation(endpoint);
  const location = {
    name: { city, country },
    coordinates: { lat: String(latitude), lon: String(longitude) },
    airport: { code: 'SEA' },
  };
  const query = new URLSearchParams(Object.entries({ ...location[by], ...more })).toString();
  return `${endpoint.path}${by === 'name' ? '' : `/${by}`}?${query}`;
}

describe('every endpoint about a location', () => {
  const fixture = useService({
    WEATHER_PROVIDERS: 'demo',
    TRUST_PROXY: '1',
    RATE_LIMIT_PER_IP: String(LIMIT),
    RATE_LIMIT_TOTAL: '100000',
  });
  let clients = 0;

  /** Sends a request from a new client. */
  const send = (target: string, { headers, ...options }: RequestOptions = {}): Promise<Answer> =>
    ask(fixture.url + target, {
      ...options,
      headers: { ...anyClient((clients += 1)), ...headers },
    });

  before(async () => {
    // The entries of all kinds exist.
    for (const { endpoint, by } of cases) await send(targetOf(endpoint, by));
  });

  it('says that the weather of demo is invented, without a link', async () => {
    const { json } = await send(weatherOf('Oslo', 'Norway', '/api/v1/conditions'));
    const { provider, attribution } = json as Record<string, unknown>;
    const text = 'Invented weather for development: not real data';
    assert.deepEqual([provider, attribution], ['demo', { text, url: null }]);
  });

  for (const { endpoint, by } of cases) {
    const target = targetOf(endpoint, by);
    const [path = ''] = target.split('?');
    const isPublic = endpoint.publicFor.includes(by);

    describe(path, () => {
      it('has one entry for all values of its parameters, and rejects invalid ones', async () => {
        for (const [name, { description }] of Object.entries(endpoint.parameters)) {
          const { minimum, maximum } = description;
          if (maximum === undefined) continue;
          const fault = `${name} must be a whole number from ${minimum} to ${maximum}`;
          for (const value of ['1', String(maximum)]) {
            const answer = await send(targetOf(endpoint, by, { [name]: value }));
            assert.deepEqual([answer.status, answer.headers['x-cache']], [200, 'HIT'], value);
          }
          for (const value of [...INVALID, String(maximum + 1)]) {
            const answer = await send(targetOf(endpoint, by, { [name]: value }));
            assertError(answer, 400, `Invalid ${name}`, fault);
          }
          const repeated = `${targetOf(endpoint, by, { [name]: '1' })}&${name}=1`;
          assertError(await send(repeated), 400, `Invalid ${name}`, fault);
        }
      });

      it('rejects a location that is missing or does not exist', async () => {
        assertErrorForm(await send(path), 400, 'Missing required parameters');
        const nowhere = {
          name: 'city=Atlantis&country=Greece',
          coordinates: 'lat=0&lon=-30',
          airport: 'code=TXL',
        };
        assertErrorForm(await send(`${path}?${nowhere[by]}`), 400, 'Geocoding failed');
      });

      it('is 304 for its own ETag, and the same for HEAD without a body', async () => {
        const got = await send(target);
        assert.deepEqual([got.status, got.headers['x-cache']], [200, 'HIT']);
        const head = await send(target, { method: 'HEAD' });
        const known = await send(target, { headers: { 'If-None-Match': got.headers.etag ?? '' } });
        assert.deepEqual([head.status, head.text, known.status, known.text], [200, '', 304, '']);
        for (const name of ['etag', 'cache-control', 'vary', 'x-weather-provider']) {
          assert.equal(head.headers[name], got.headers[name], name);
          assert.equal(known.headers[name], got.headers[name], name);
        }
      });

      it(
        isPublic
          ? 'is public: no cookie, no rate limit headers, and caches may store it'
          : 'belongs to a session: a cookie, rate limit headers, and no shared cache may store it',
        async () => {
          const origin = 'https://app.example';
          const answer = await send(target, { headers: { Origin: origin, Cookie: 'a=b' } });
          const { headers, cookies } = answer;
          assert.equal(answer.status, 200);
          assert.equal(cookies.length > 0, !isPublic);
          assert.equal(
            Object.keys(headers).some((name) => name.includes('ratelimit')),
            !isPublic,
          );
          const row = POINT_KINDS.find(({ kind }) => kind.name === endpoint.kind.name)!;
          const fresh = typeof row.ttl === 'number' ? row.ttl : TTLS[row.ttl].defaultSeconds;
          const caching = `public, max-age=${fresh}, stale-while-revalidate=5, stale-if-error=3600`;
          assert.equal(headers['cache-control'], isPublic ? caching : 'private, no-cache');
          assert.match(String(headers.age), /^\d{1,2}$/);
          assert.equal(headers.vary, 'Origin');
          assert.equal(headers['access-control-allow-origin'], origin);
        },
      );

      it('counts its requests as weather requests, and writes one record for each', async () => {
        const client = anyClient((clients += 1));
        const id = `${endpoint.path.split('/').at(-1)}-${by}`;
        for (let n = 1; n <= LIMIT; n += 1) {
          const headers = { ...client, 'X-Request-ID': `${id}-${n}` };
          assert.equal((await ask(fixture.url + target, { headers })).status, 200);
        }
        const rejected = await ask(fixture.url + target, {
          headers: { ...client, 'X-Request-ID': `${id}-rejected` },
        });
        assertErrorForm(rejected, 429, 'Rate limit exceeded');
        assert.equal(rejected.headers['x-ratelimit-limit'], String(LIMIT));
        assert.equal(rejected.headers['cache-control'], 'no-store');
        for (const [suffix, status] of [
          ['1', 200],
          ['rejected', 429],
        ] as const) {
          const about = (record: object) => Reflect.get(record, 'request_id') === `${id}-${suffix}`;
          const record = await fixture.service.waitFor('weather_request', about);
          assert.deepEqual([record['kind'], record['status']], [endpoint.kind.name, status]);
          assert.equal(fixture.service.records.filter(about).length, 1);
        }
      });
    });
  }
});
