import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const ENV = {
  RATE_LIMIT_PER_IP: '1000',
  RATE_LIMIT_TOTAL: '0',
  RATE_LIMIT_FETCHES_PER_IP: '2',
  CACHE_TTL_SECONDS: '8',
  REFRESH_AHEAD_SECONDS: '0',
  WEATHER_PROVIDERS: 'open-meteo',
  TRUST_PROXY: '1',
};
const conditionsOf = (city: string, country: string) =>
  weatherOf(city, country, '/api/v1/conditions');

describe('a request that starts a fetch, in a dry run', () => {
  const fixture = useService({ ...ENV, RATE_LIMIT_DRY_RUN: 'true' });

  it('is reported above the limit; only a private response has headers about its client', async () => {
    const headersOf = async (path: string) => {
      const answer = await ask(fixture.url + path, {
        headers: { 'X-Forwarded-For': '203.0.113.1' },
      });
      assert.equal(answer.status, 200);
      const fields = Object.entries(answer.headers);
      return Object.fromEntries(fields.filter(([name]) => name.startsWith('x-ratelimit-')));
    };
    for (const city of ['Oslo', 'Bergen']) await headersOf(forecastOf(city, 'Norway'));
    assert.deepEqual(await headersOf(forecastOf('Hamar', 'Norway')), {});
    const { 'x-ratelimit-dry-run': limit } = await headersOf(conditionsOf('Voss', 'Norway'));
    assert.equal(limit, 'fetches');
    for (const city of ['Hamar', 'Voss']) {
      const record = await fixture.service.waitFor(
        'weather_request',
        (each) => each['city'] === city,
      );
      assert.equal(record['would_refuse'], 'fetches');
    }
  });
});

describe('a request that starts a fetch', () => {
  const fixture = useService(ENV);
  const get = (path: string, ip: string) =>
    ask(fixture.url + path, { headers: { 'X-Forwarded-For': ip, 'User-Agent': 'b'.repeat(150) } });

  it('counts; hits, joins, and stale entries do not; and above the limit it is 429 or stale', async () => {
    const ip = '203.0.113.1';
    for (let n = 0; n < 2; n += 1) {
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => get(conditionsOf('Oslo', 'Norway'), ip)),
      );
      assert.ok(replies.every(({ status }) => status === 200));
    }
    assert.equal((await get(conditionsOf('Rome', 'Italy'), ip)).status, 200);
    const rejected = await get(conditionsOf('Paris', 'France'), ip);
    assertErrorForm(rejected, 429, 'Rate limit exceeded');
    assert.match(rejected.text, /The limit of 2 requests per client for places that are not/);
    assert.match(String(rejected.headers['ratelimit']), /^"fetches";r=0;t=\d+$/);
    assert.equal(rejected.headers['x-ratelimit-limit'], '2');
    assert.ok(Number(rejected.headers['retry-after']) > 3000);
    // An entry that has expired is served stale.
    await eventually(
      async () => (await get(conditionsOf('Oslo', 'Norway'), ip)).headers['x-cache'] === 'STALE',
      'a stale entry',
      20_000,
    );
    // Another client fetches it.
    const other = await get(conditionsOf('Oslo', 'Norway'), '203.0.113.2');
    assert.deepEqual([other.status, other.headers['x-cache']], [200, 'MISS']);
    const records = fixture.service.records.filter(({ event }) => event === 'weather_request');
    assert.ok(records.some((record) => record['refused_by'] === 'fetches'));
    const agents = records
      .filter((record) => record['cache'] === 'MISS')
      .map((record) => record['user_agent']);
    assert.ok(
      agents.length > 0 && agents.every((agent) => String(agent).length === 100),
      agents.join(),
    );
    assert.ok(records.every((record) => record['cache'] !== 'HIT' || !('user_agent' in record)));
  });

  it('counts once if it also looks up a name', async () => {
    const statuses: (number | undefined)[] = [];
    for (const [city, country] of [
      ['Zeroville', 'Ghana'],
      ['Turku', 'Finland'],
      ['Pori', 'Finland'],
    ] as const) {
      statuses.push((await get(weatherOf(city, country), '203.0.113.7')).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
    assert.equal(fixture.stub.count(PATHS.geocoding), 1);
  });

  it('that another client above its limit has joined is not rejected with it', async () => {
    const ip = '203.0.113.5';
    for (const city of ['Bergen', 'Tromsø']) await get(conditionsOf(city, 'Norway'), ip);
    const path = conditionsOf('Hamar', 'Norway');
    const [first, second] = await Promise.all([get(path, ip), get(path, '203.0.113.6')]);
    assert.deepEqual([first.status, second.status], [429, 200]);
  });
});
