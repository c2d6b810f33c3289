import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertErrorForm,
  useService,
  weatherAt,
  weatherOf,
  without,
} from '../support/conformance.js';
import { type Answer, ask, type RequestOptions } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const SEARCHES = '/api/v1/recent-searches';

function limitsOf({ headers }: Answer): [limit: string, remaining: string] {
  return [String(headers['x-ratelimit-limit']), String(headers['x-ratelimit-remaining'])];
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
  ['/.well-known/security.txt', {}, 200],
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
  const env = { RATE_LIMIT_PER_IP: '6', RATE_LIMIT_TOTAL: '1000', TRUST_PROXY: '1' };
  const fixture = useService(env, 'redis');

  it('counts every weather request, valid or not, also HEAD and 304', async () => {
    const client = '192.0.2.10';
    const first = await ask(fixture.url + SEATTLE, as(client));
    const requests: [string, RequestOptions, number][] = [
      [weatherOf('', ''), {}, 400],
      ['/api/weather', { method: 'POST', body: '{' }, 400],
      [SEATTLE, { method: 'HEAD' }, 200],
      [SEATTLE, { headers: { 'If-None-Match': first.headers.etag ?? '' } }, 304],
      [weatherAt('0', '0'), {}, 400],
    ];
    let left = 5;
    for (const [target, options, status] of requests) {
      left -= 1;
      const answer = await ask(fixture.url + target, as(client, options));
      assert.deepEqual([answer.status, ...limitsOf(answer)], [status, '6', String(left)], target);
      assert.match(String(answer.headers['x-ratelimit-reset']), /^\d{10}$/);
    }
    for (const target of [SEATTLE, weatherOf('', ''), weatherAt('0', '0')]) {
      const refused = await ask(fixture.url + target, as(client));
      assert.deepEqual([refused.status, ...limitsOf(refused)], [429, '6', '0']);
      assert.deepEqual(refused.cookies, [], 'a rejected client gets no session');
    }
  });

  it('names the limit and the time to wait to a rejected client', async () => {
    const client = '192.0.2.11';
    const started = Date.now() / 1000;
    for (let time = 0; time < 6; time += 1) await ask(`${fixture.url}/api/weather`, as(client));
    const first = Date.now() / 1000;
    const refused = await ask(
      fixture.url + SEATTLE,
      as(client, { headers: { Origin: 'https://a.example' } }),
    );
    const message = assertErrorForm(refused, 429, 'Rate limit exceeded');
    assert.equal(refused.headers['content-type'], 'application/json; charset=utf-8');
    const seconds = Number(refused.headers['retry-after']);
    assert.match(String(refused.headers['retry-after']), /^\d+$/);
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.match(message, new RegExp(`\\b${seconds} seconds?\\b`));
    assert.match(message, /\b6\b.*address/);
    const reset = Number(refused.headers['x-ratelimit-reset']);
    assert.ok(reset >= started + 59 && reset <= first + 62, `${reset} ${started}`);
    assert.equal(refused.headers['access-control-allow-origin'], 'https://a.example');
    assert.ok(refused.headers['x-request-id']);
    assert.equal(refused.headers['cache-control'], 'no-store');
  });

  it('does not count endpoints without a limit', async () => {
    await assertFree(fixture.url);
    const answer = await ask(`${fixture.url}/api/weather`, as('198.51.100.1'));
    assert.equal(limitsOf(answer)[1], '5');
  });
});

describe('a rejected request', () => {
  const fixture = useService({ RATE_LIMIT_PER_IP: '1', TRUST_PROXY: '1' });

  it('leaves one warning with the address and the place', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9, 2001:DB8::0:7' };
    await ask(fixture.url + weatherOf('Seattle', 'USA'), { headers });
    await ask(fixture.url + weatherOf('Boston', 'USA'), { headers });
    const record = await fixture.service.waitFor(
      'weather_request',
      (record) => record['status'] === 429,
    );
    assert.deepEqual(without(record, 'timestamp', 'request_id', 'duration_ms'), {
      level: 'WARNING',
      event: 'weather_request',
      ip: '2001:db8::7',
      kind: 'weather',
      city: 'Boston',
      country: 'USA',
      method: 'GET',
      path: '/api/v1/weather',
      status: 429,
    });
    assert.equal(fixture.service.of('weather_request').length, 2);
  });
});

describe('the limit in total', () => {
  const env = { RATE_LIMIT_PER_IP: '3', RATE_LIMIT_TOTAL: '8', TRUST_PROXY: '1' };
  const fixture = useService(env, 'redis');

  it('does not count requests that the limit per address rejects, and counts all others', async () => {
    for (let time = 0; time < 3; time += 1)
      await ask(`${fixture.url}/api/weather`, as('192.0.2.1'));
    for (let time = 0; time < 10; time += 1) {
      const { status, headers } = await ask(`${fixture.url}/api/weather`, as('192.0.2.1'));
      assert.deepEqual([status, headers['x-ratelimit-limit']], [429, '3']);
    }
    await assertFree(fixture.url);
    for (const [method, address] of [
      ['GET', '192.0.2.4'],
      ['HEAD', '192.0.2.5'],
      ['DELETE', '192.0.2.6'],
    ] as const) {
      const { status } = await ask(fixture.url + SEARCHES, as(address, { method }));
      assert.equal(status, 200);
    }
    // The headers show the limit with fewer remaining requests.
    const other = await ask(`${fixture.url}/api/weather`, as('192.0.2.2'));
    assert.deepEqual(limitsOf(other), ['8', '1']);
    assert.deepEqual(limitsOf(await ask(`${fixture.url}/api/weather`, as('192.0.2.2'))), [
      '8',
      '0',
    ]);

    const refused = await ask(`${fixture.url}/api/weather`, as('192.0.2.3'));
    assert.match(assertErrorForm(refused, 429, 'Rate limit exceeded'), /\b8\b.*total/);
    assert.deepEqual(limitsOf(refused), ['8', '0']);
    const seconds = Number(refused.headers['retry-after']);
    assert.ok(seconds > 3500 && seconds <= 3600, String(seconds));
    for (const method of ['GET', 'DELETE']) {
      const searches = await ask(fixture.url + SEARCHES, as('192.0.2.3', { method }));
      assertErrorForm(searches, 429, 'Rate limit exceeded');
    }
    await assertFree(fixture.url);
    // A request that the total limit rejected does not count toward the limit per address.
    const own = await ask(`${fixture.url}/api/weather`, as('192.0.2.2'));
    assert.deepEqual([own.status, ...limitsOf(own)], [429, '8', '0']);
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
    const told: unknown[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      for (let time = 0; time < 3; time += 1) {
        const answer = await ask(
          fixture.url + SEATTLE,
          as(address, { headers: { 'X-Request-ID': `dry-${told.length}` } }),
        );
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['retry-after'], undefined);
        told.push([answer.headers['x-ratelimit-dry-run'], ...limitsOf(answer)]);
      }
    }
    assert.deepEqual(told, [
      [undefined, '2', '1'],
      [undefined, '2', '0'],
      ['per_ip', '2', '0'],
      [undefined, '4', '1'],
      // Both limits have nothing left: the one that takes longer to recover is shown.
      [undefined, '4', '0'],
      ['per_ip', '2', '0'],
      ...Array.from({ length: 3 }, () => ['total', '4', '0']),
    ]);
    for (const [index, [limit]] of (told as [string | undefined][]).entries()) {
      const record = await fixture.service.waitFor(
        'weather_request',
        ({ request_id }) => request_id === `dry-${index}`,
      );
      assert.deepEqual([record.level, record['would_refuse']], ['INFO', limit]);
    }
  });

  it('is a warning at the start', () => {
    assert.deepEqual(
      fixture.service.of('rate_limits_dry_run').map(({ level }) => level),
      ['WARNING'],
    );
  });
});
