import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherAt, weatherOf, without } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { type Answer, ask, type RequestOptions } from '../support/http-client.js';
import type { LogRecord } from '../support/service.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRETS = [
  's3cret-session-key',
  'an-old-s3cret',
  'open-meteo-s3cret',
  'owm-s3cret',
  'redis-s3cret',
];

let counter = 0;

describe('the log records', () => {
  const fixture = useService({
    LOG_LEVEL: 'DEBUG',
    SESSION_SECRET_KEY: 's3cret-session-key,an-old-s3cret',
    OPEN_METEO_API_KEY: 'open-meteo-s3cret',
    WEATHER_PROVIDERS: 'open-meteo,openweathermap',
    OPENWEATHERMAP_API_KEY: 'owm-s3cret',
  });

  /** Sends a request with its own request ID. @returns the response and the records with this ID */
  async function recorded(
    target: string,
    options: RequestOptions = {},
  ): Promise<[Answer, LogRecord[]]> {
    counter += 1;
    const id = `logs-${counter}`;
    const headers = { ...options.headers, 'X-Request-ID': id };
    const answer = await ask(fixture.url + target, { ...options, headers });
    const own = () => fixture.service.records.filter((record) => record['request_id'] === id);
    await eventually(() => own().length > 0, 'the record of the request');
    // Further records of this request come before the record of a later request.
    await ask(`${fixture.url}/api/health`, { headers: { 'X-Request-ID': `after-${counter}` } });
    await fixture.service.waitFor('request', (r) => r['request_id'] === `after-${counter}`);
    return [answer, own().filter((record) => record.event.includes('request'))];
  }

  /** The only record of a weather request, without the fields that differ each time, which are checked here. */
  async function weatherRecord(target: string, options: RequestOptions = {}): Promise<object> {
    const [, records] = await recorded(target, options);
    assert.equal(records.length, 1, JSON.stringify(records));
    const [{ timestamp, duration_ms: duration, ...rest }] = records as [LogRecord];
    assert.match(timestamp, ISO);
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    assert.ok(Number.isInteger(duration) && (duration as number) >= 0, String(duration));
    return without(rest, 'request_id', 'fetch_id');
  }

  const common = { event: 'weather_request', ip: '127.0.0.1', kind: 'weather' };

  it('of a weather request by city have exactly these fields', async () => {
    const seattle = weatherOf('Seattle', 'USA');
    const body = { city: 'Seattle', country: 'USA' };
    const rows: [target: string, options: RequestOptions, fields: object][] = [
      [weatherOf(' Seattle ', 'USA'), {}, { cache: 'MISS' }],
      [seattle, {}, {}],
      [seattle, { method: 'HEAD' }, { method: 'HEAD' }],
      [seattle, { headers: { 'If-None-Match': '*' } }, { status: 304 }],
      ['/api/weather', { method: 'POST', body }, { method: 'POST', path: '/api/weather' }],
    ];
    for (const [target, options, fields] of rows) {
      assert.deepEqual(await weatherRecord(target, options), {
        ...common,
        level: 'INFO',
        city: 'Seattle',
        country: 'USA',
        key: 'weather:47.6062:-122.3321',
        cache: 'HIT',
        provider: 'open-meteo',
        method: 'GET',
        path: '/api/v1/weather',
        status: 200,
        ...fields,
      });
    }
    assert.equal(fixture.stub.calls[0]?.query['apikey'], 'open-meteo-s3cret', 'it is in use');
  });

  it('of a weather request by coordinates have these additional fields', async () => {
    assert.deepEqual(await weatherRecord(weatherAt('48.1374', '11.5755')), {
      ...common,
      level: 'INFO',
      city: 'Munich',
      country: 'Germany',
      latitude: 48.1374,
      longitude: 11.5755,
      key: 'weather:48.1374:11.5755',
      cache: 'MISS',
      provider: 'open-meteo',
      method: 'GET',
      path: '/api/v1/weather/coordinates',
      status: 200,
    });
  });

  it('of invalid requests are warnings with the requested place', async () => {
    const repeated = '/api/v1/weather?city=a&city=b&country=USA';
    const nowhere = { latitude: null, longitude: null, path: '/api/v1/weather/coordinates' };
    const key = 'position:qwxyzzy:US';
    const post = (body: unknown): RequestOptions => ({ method: 'POST', body });
    const rows: [target: string, options: RequestOptions, fields: object][] = [
      ['/api/v1/weather', {}, {}],
      [weatherOf('Sea<ttle', 'USA'), {}, { city: 'Sea<ttle', country: 'USA' }],
      [weatherOf('Qwxyzzy', 'USA'), {}, { city: 'Qwxyzzy', country: 'USA', key }],
      [repeated, {}, { country: 'USA' }],
      ['/api/v1/weather', post('[]'), { method: 'POST' }],
      ['/api/v1/weather', post({ city: 5, country: 'USA' }), { country: 'USA', method: 'POST' }],
      [weatherAt('91', '0'), {}, nowhere],
    ];
    for (const [target, options, fields] of rows) {
      assert.deepEqual(await weatherRecord(target, options), {
        ...common,
        level: 'WARNING',
        city: null,
        country: null,
        method: 'GET',
        path: '/api/v1/weather',
        status: 400,
        ...fields,
      });
    }
  });

  it('of other requests have the event `request`', async () => {
    const rows: [string, RequestOptions, string, number][] = [
      ['/api/v1/recent-searches', {}, 'INFO', 200],
      ['/api/v1/recent-searches', { method: 'DELETE' }, 'INFO', 200],
      ['/apispec.json', {}, 'INFO', 200],
      ['/api/v1/places', {}, 'WARNING', 400],
      ['/nothing', {}, 'INFO', 404],
      ['/api/weather', { method: 'PUT' }, 'INFO', 405],
      ['/api/weather', { method: 'OPTIONS' }, 'INFO', 204],
      ['/api/v1/health/ready', {}, 'DEBUG', 200],
    ];
    for (const [target, options, level, status] of rows) {
      const [, records] = await recorded(target, options);
      assert.deepEqual(
        records.map((record) => [record.event, record.level, record['status'], record['path']]),
        [['request', level, status, target]],
      );
      assert.equal(records[0]?.['method'], options.method ?? 'GET');
      assert.equal(records[0]['ip'], '127.0.0.1');
    }
  });

  it('of requests for which every provider failed are at ERROR, with the error', async () => {
    fixture.stub.behave('/v1/forecast', { kind: 'status', status: 500 });
    fixture.stub.behave('/data/2.5/weather', { kind: 'status', status: 200, body: '<html>' });
    const record = (await weatherRecord(weatherOf('Tromsø', 'Norway'))) as Record<string, unknown>;
    assert.deepEqual(without(record, 'msg', 'err'), {
      ...common,
      level: 'ERROR',
      city: 'Tromsø',
      country: 'Norway',
      key: 'weather:69.6489:18.9551',
      method: 'GET',
      path: '/api/v1/weather',
      status: 503,
    });
    const { type, message, stack } = record['err'] as Record<string, unknown>;
    assert.equal(type, 'ServiceUnavailableError');
    assert.equal(typeof message, 'string');
    assert.match(String(stack), /ServiceUnavailableError/);
    fixture.stub.reset();
  });

  it('lead from a request to its fetch and to the failures of providers, also in one process', async () => {
    for (const path of ['/v1/forecast', '/data/2.5/weather']) {
      fixture.stub.behave(path, { kind: 'status', status: 500 });
    }
    const traceId = 'c0ffee'.padEnd(32, '1');
    const headers = { traceparent: `00-${traceId}-${'2'.repeat(16)}-00` };
    const bergen = weatherOf('Bergen', 'Norway');
    const [, [failed]] = await recorded(bergen, { headers });
    fixture.stub.reset();
    const { key, fetch_id: fetchId } = failed!;
    assert.equal(typeof fetchId, 'string');
    const traced = fixture.service.records.filter((record) => record['trace_id'] === traceId);
    assert.deepEqual(
      traced.map((record) => [record.event, record['key'], record['fetch_id']]),
      ['upstream_failed', 'upstream_failed', 'fetch', 'weather_request'].map((event) => [
        event,
        key,
        fetchId,
      ]),
    );
    const [, [miss]] = await recorded(bergen, { headers: { traceparent: traceId } });
    const [, [hit]] = await recorded(bergen);
    assert.deepEqual([miss!['cache'], hit!['cache']], ['MISS', 'HIT']);
    assert.notEqual(miss!['fetch_id'], fetchId);
    assert.equal(hit!['fetch_id'], miss!['fetch_id']);
    assert.equal('trace_id' in miss!, false);
  });

  it('cannot be forged, and contain no terminal control characters', async () => {
    const before = fixture.service.noise.length;
    const inputs = [
      'a\n{"level":"ERROR","event":"forged"}',
      '\u001b[2J\u001b[31mred',
      'a\u2028b\u0000c',
      '\u202eevil',
      'a"b\\',
      'x'.repeat(10_000),
      '%',
      '\ud800',
    ];
    for (const input of inputs) {
      const agent = { 'User-Agent': input.replace(/[^\x20-\x7e]/g, ''), Referer: 'x' };
      for (const ways of [
        recorded(weatherOf(input, 'USA')),
        recorded('/api/weather', { method: 'POST', body: { city: input, country: input } }),
        recorded(`/nothing${encodeURIComponent(input.replace(/\p{Cs}/gu, ''))}`),
        recorded('/api/weather', { headers: agent }),
      ]) {
        const [, records] = await ways;
        assert.equal(records.length, 1);
        const line = JSON.stringify(records[0]);
        assert.ok(line.length < 1000, line);
        for (const value of Object.values(records[0] ?? {})) {
          if (typeof value === 'string') assert.doesNotMatch(value, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
      }
    }
    assert.deepEqual(fixture.service.noise.slice(before), []);
    assert.deepEqual(fixture.service.of('forged'), []);
  });

  it('have one format, and never contain a cookie, key, or secret', async () => {
    const answer = await ask(fixture.url + weatherOf('Boston', 'USA'));
    const cookie = cookieOf(answer);
    const headers = { Cookie: cookie, Authorization: 'Bearer client-s3cret' };
    await recorded(weatherOf('Boston', 'USA'), { headers });
    await recorded('/api/v1/recent-searches?token=client-s3cret', { headers });
    for (const kind of ['reset', 'truncated'] as const) {
      fixture.stub.behave('/v1/forecast', { kind });
      fixture.stub.behave('/data/2.5/weather', { kind });
      await recorded(weatherOf('Hammerfest', 'Norway'), { headers });
    }
    fixture.stub.behave('/v1/forecast', {
      kind: 'status',
      status: 400,
      body: '{"error":true,"reason":"The supplied API key open-meteo-s3cret is invalid."}',
    });
    await recorded(weatherOf('Kiruna', 'Sweden'), { headers });
    fixture.stub.reset();
    const all = JSON.stringify(fixture.service.records) + fixture.service.noise.join();
    for (const pair of cookie.split('; ')) {
      assert.ok(!all.includes(pair.split('=')[1] ?? '-'), 'a cookie was logged');
    }
    for (const secret of [...SECRETS, 'client-s3cret']) {
      assert.ok(!all.includes(secret), `${secret} was logged`);
    }
    for (const { timestamp, level, event } of fixture.service.records) {
      assert.match(timestamp, ISO);
      assert.match(level, /^(DEBUG|INFO|WARNING|ERROR)$/);
      assert.match(event, /^[a-z_]+$/);
    }
    assert.deepEqual(fixture.service.noise, []);
  });
});
