import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseList, type Item } from 'structured-headers';
import { assertErrorForm, useService, weatherAt, weatherOf } from '../support/conformance.js';
import { forecastAt, forecastOf } from '../support/forecasts.js';
import { type Answer, ask, type RequestOptions } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const SEARCHES = '/api/v1/recent-searches';
const PLACES = '/api/v1/places?q=pots';

function limitsOf({ headers }: Answer): [limit: string, remaining: string] {
  return [String(headers['x-ratelimit-limit']), String(headers['x-ratelimit-remaining'])];
}

/** A structured field: name of the policy → its parameters. */
function fieldOf({ headers }: Answer, name: string): Record<string, Record<string, unknown>> {
  const items = parseList(String(headers[name])) as Item[];
  return Object.fromEntries(
    items.map(([policy, parameters]) => [String(policy), Object.fromEntries(parameters)]),
  );
}

/** Asserts that `RateLimit` equals `X-RateLimit-*`. @returns the remaining requests by policy */
function leftOf(answer: Answer): Record<string, unknown> {
  const policies = fieldOf(answer, 'ratelimit-policy');
  const states = fieldOf(answer, 'ratelimit');
  const { headers } = answer;
  const named = (name: string) => Number(headers[`x-ratelimit-${name}`]);
  const secondsToReset = named('reset') - Date.parse(String(headers.date)) / 1000;
  assert.ok(
    Object.entries(states).some(
      ([policy, { r, t }]) =>
        policies[policy]?.['q'] === named('limit') &&
        r === named('remaining') &&
        // `Date` and `Reset` are in whole seconds.
        Math.abs(Number(t) - secondsToReset) <= 2,
    ),
    JSON.stringify(headers),
  );
  return Object.fromEntries(Object.entries(states).map(([policy, { r }]) => [policy, r]));
}

/** The options of a request from a client IP. */
const as = (address: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { ...options.headers, 'X-Forwarded-For': address },
});

/** Requests that do not count and are never rejected. */
const FREE: [target: string, options: RequestOptions, status: number][] = [
  ['/api/health', {}, 200],
  ['/api/v1/health', { method: 'HEAD' }, 200],
  ['/api/v1/health/live', {}, 200],
  ['/api/v1/health/ready', {}, 200],
  ['/apidocs/', {}, 200],
  ['/apispec.json', {}, 200],
  ['/openapi.json', {}, 200],
  ['/api/weather/', {}, 404],
  ['/api/v1/nothing', {}, 404],
  ['/api/weather', { method: 'PUT' }, 405],
  [SEARCHES, { method: 'POST' }, 405],
  ['/api/v1/weather', { method: 'OPTIONS' }, 204],
];

async function assertFree(url: string): Promise<void> {
  for (const [target, options, status] of FREE) {
    const answer = await ask(url + target, as('198.51.100.1', options));
    assert.equal(answer.status, status, target);
    assert.equal(answer.headers['x-ratelimit-limit'], undefined, target);
  }
}

describe('the limit per address', () => {
  const env = { RATE_LIMIT_PER_IP: '8', RATE_LIMIT_TOTAL: '1000', TRUST_PROXY: '1' };
  const fixture = useService(env, 'redis');

  it('counts every weather and forecast request, valid or not, also HEAD and 304', async () => {
    const client = '192.0.2.10';
    const first = await ask(fixture.url + SEATTLE, as(client));
    const requests: [string, RequestOptions, number, isPublic?: 'public'][] = [
      [weatherOf('', ''), {}, 400],
      ['/api/weather', { method: 'POST', body: '{' }, 400],
      [SEATTLE, { method: 'HEAD' }, 200],
      [SEATTLE, { headers: { 'If-None-Match': first.headers.etag ?? '' } }, 304],
      [weatherAt('0', '0'), {}, 400],
      [forecastOf('Seattle', 'USA', '15'), {}, 400, 'public'],
      [forecastAt('47.6', '-122.3'), {}, 200, 'public'],
    ];
    let left = 7;
    for (const [target, options, status, isPublic] of requests) {
      left -= 1;
      const answer = await ask(fixture.url + target, as(client, options));
      const limits = isPublic ? ['undefined', 'undefined'] : ['8', String(left)];
      assert.deepEqual([answer.status, ...limitsOf(answer)], [status, ...limits], target);
      assert.equal(/^\d{10}$/.test(String(answer.headers['x-ratelimit-reset'])), !isPublic, target);
    }
    for (const target of [SEATTLE, forecastOf('Seattle', 'USA')]) {
      const rejected = await ask(fixture.url + target, as(client));
      assert.deepEqual([rejected.status, ...limitsOf(rejected)], [429, '8', '0']);
      assert.deepEqual(rejected.cookies, [], 'a rejected client gets no session');
    }
  });

  it('names the limit and the time to wait to a rejected client, and logs a warning', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9, 2001:DB8::0:7' };
    const started = Date.now() / 1000;
    for (let time = 0; time < 8; time += 1) await ask(`${fixture.url}/api/weather`, { headers });
    const last = Date.now() / 1000;
    const rejected = await ask(fixture.url + weatherOf('Boston', 'USA'), { headers });
    const message = assertErrorForm(rejected, 429, 'Rate limit exceeded');
    const seconds = Number(rejected.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.match(message, new RegExp(`\\b${seconds} seconds?\\b`));
    assert.match(message, /\b8 requests per client address/);
    const reset = Number(rejected.headers['x-ratelimit-reset']);
    assert.ok(reset >= started + 59 && reset <= last + 62, `${reset} ${started}`);

    const record = await fixture.service.waitFor(
      'weather_request',
      ({ status, city }) => status === 429 && city === 'Boston',
    );
    const { level, ip, refused_by: refusedBy } = record;
    assert.deepEqual([level, ip, refusedBy], ['WARNING', '2001:db8::7', 'per_ip']);
  });

  it('is ten times as high for suggestions, which each process counts alone', async () => {
    const client = as('192.0.2.30');
    for (let time = 0; time < 80; time += 1) {
      const { status, headers } = await ask(fixture.url + PLACES, client);
      assert.equal(status, 200);
      // Shared caches store this response for a day, so it contains nothing about one client.
      const fields = Object.keys(headers).filter((name) => /^(x-)?ratelimit/.test(name));
      assert.deepEqual([fields, headers['cache-control']], [[], 'public, max-age=86400']);
    }
    const rejected = await ask(fixture.url + PLACES, client);
    assertErrorForm(rejected, 429, 'Rate limit exceeded');
    assert.deepEqual(limitsOf(rejected), ['80', '0']);
    assert.equal(rejected.headers['ratelimit-policy'], '"ip";q=80;w=60');
    assert.match(String(rejected.headers['retry-after']), /^\d+$/);
    const other = await fixture.replica();
    assert.equal((await ask(other.url + PLACES, client)).status, 200);
    assert.deepEqual(limitsOf(await ask(fixture.url + SEATTLE, client)), ['8', '7']);
  });
});

describe('the limit in total', () => {
  const env = { RATE_LIMIT_PER_IP: '3', RATE_LIMIT_TOTAL: '8', TRUST_PROXY: '1' };
  const fixture = useService(env, 'redis');

  it('counts all requests that the limit per address admits, and is in the headers', async () => {
    const weather = `${fixture.url}/api/weather`;
    const left: unknown[] = [];
    for (const [method, target, address, status] of [
      ['GET', '/api/weather', '192.0.2.1', 400],
      ['GET', '/api/weather', '192.0.2.1', 400],
      ['GET', '/api/weather', '192.0.2.1', 400],
      ['GET', '/api/weather', '192.0.2.1', 429],
      ['GET', SEARCHES, '192.0.2.4', 200],
      ['DELETE', SEARCHES, '192.0.2.6', 200],
    ] as const) {
      const answer = await ask(fixture.url + target, as(address, { method }));
      assert.equal(answer.status, status, target);
      const policies = { ip: { q: 3, w: 60 }, total: { q: 8, w: 3600 } };
      assert.deepEqual(fieldOf(answer, 'ratelimit-policy'), policies);
      left.push(leftOf(answer));
    }
    assert.deepEqual(left, [
      { ip: 2, total: 7 },
      { ip: 1, total: 6 },
      { ip: 0, total: 5 },
      { ip: 0 },
      { ip: 2, total: 4 },
      { ip: 2, total: 3 },
    ]);
    await assertFree(fixture.url);
    await ask(weather, as('192.0.2.5'));
    // The headers show the limit with fewer remaining requests.
    assert.deepEqual(limitsOf(await ask(weather, as('192.0.2.2'))), ['8', '1']);
    assert.deepEqual(limitsOf(await ask(weather, as('192.0.2.2'))), ['8', '0']);

    const rejected = await ask(weather, as('192.0.2.3'));
    assert.match(assertErrorForm(rejected, 429, 'Rate limit exceeded'), /\b8\b.*total/);
    assert.deepEqual([limitsOf(rejected), leftOf(rejected)], [['8', '0'], { total: 0 }]);
    const seconds = Number(rejected.headers['retry-after']);
    assert.equal(fieldOf(rejected, 'ratelimit')['total']?.['t'], seconds);
    assert.ok(seconds > 3500 && seconds <= 3600, String(seconds));
    const searches = await ask(fixture.url + SEARCHES, as('192.0.2.3', { method: 'DELETE' }));
    assertErrorForm(searches, 429, 'Rate limit exceeded');
    await assertFree(fixture.url);
  });
});

describe('a dry run', () => {
  const fixture = useService({
    RATE_LIMIT_DRY_RUN: 'true',
    RATE_LIMIT_PER_IP: '2',
    RATE_LIMIT_TOTAL: '4',
    TRUST_PROXY: '1',
  });

  it('counts, reports the requests that it would reject, and rejects none', async () => {
    const results: [string | undefined, ...string[]][] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      for (let time = 0; time < 3; time += 1) {
        const headers = { 'X-Request-ID': `dry-${results.length}` };
        const answer = await ask(fixture.url + SEATTLE, as(address, { headers }));
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['retry-after'], undefined);
        const dryRun = answer.headers['x-ratelimit-dry-run'] as string | undefined;
        results.push([dryRun, ...limitsOf(answer)]);
      }
    }
    assert.deepEqual(results, [
      [undefined, '2', '1'],
      [undefined, '2', '0'],
      ['per_ip', '2', '0'],
      [undefined, '4', '1'],
      // No request is left in either limit: the headers show the limit that recovers later.
      [undefined, '4', '0'],
      ['per_ip', '2', '0'],
      ...Array.from({ length: 3 }, () => ['total', '4', '0']),
    ]);
    const record = await fixture.service.waitFor(
      'weather_request',
      ({ request_id }) => request_id === 'dry-8',
    );
    assert.deepEqual([record.level, record['would_refuse']], ['INFO', 'total']);
    // Shared caches store these responses, so they contain nothing about one client.
    for (const target of [PLACES, forecastOf('Seattle', 'USA')]) {
      for (let time = 0; time < 21; time += 1) {
        const headers = { 'X-Request-ID': `public-${time}` };
        const answer = await ask(fixture.url + target, as('192.0.2.4', { headers }));
        assert.equal(answer.status, 200);
        const fields = Object.keys(answer.headers).filter((name) => name.includes('ratelimit'));
        assert.deepEqual(fields, [], target);
      }
    }
    for (const event of ['request', 'weather_request']) {
      await fixture.service.waitFor(
        event,
        ({ request_id, would_refuse }) => request_id === 'public-20' && would_refuse !== undefined,
      );
    }
    const levels = fixture.service.of('rate_limits_dry_run').map(({ level }) => level);
    assert.deepEqual(levels, ['WARNING']);
  });
});
