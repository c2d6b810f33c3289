import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { without } from '../support/without.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { forecastAt } from '../support/forecasts.js';
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

  /** The only record of a weather request, without the fields that this function checks. */
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
        place: 'Seattle, Washington, US',
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

  it('of a forecast by coordinates have these additional fields', async () => {
    assert.deepEqual(await weatherRecord(forecastAt('48.1374', '11.5755')), {
      ...common,
      kind: 'forecast',
      level: 'INFO',
      city: 'Munich',
      country: 'Germany',
      latitude: 48.1374,
      longitude: 11.5755,
      place: 'Munich, Bavaria, DE',
      key: 'forecast:48.1374:11.5755',
      cache: 'MISS',
      provider: 'open-meteo',
      method: 'GET',
      path: '/api/v1/forecast/coordinates',
      status: 200,
    });
  });

  it('of invalid requests are warnings with the requested place', async () => {
    const repeated = '/api/v1/weather?city=a&city=b&country=USA';
    const nowhere = { latitude: null, longitude: null, path: '/api/v1/weather/coordinates' };
    const key = 'position:qwxyzzy:US';
    const post = (body: unknown): RequestOptions => ({ method: 'POST', body });
    const rows: [target: string, options: RequestOptions, fields: object][] = [
      [weatherOf('Sea<ttle', 'USA'), {}, { city: 'Sea<ttle', country: 'USA' }],
      [weatherOf('Qwxyzzy', 'USA'), {}, { city: 'Qwxyzzy', country: 'USA', key }],
      [repeated, {}, { country: 'USA' }],
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
      ['/api/v1/places', {}, 'WARNING', 400],
      ['/nothing', {}, 'INFO', 404],
      ['/api/weather', { method: 'PUT' }, 'INFO', 405],
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
    const { type, stack } = record['err'] as Record<string, unknown>;
    assert.equal(type, 'ServiceUnavailableError');
    assert.match(String(stack), /ServiceUnavailableError/);
    fixture.stub.reset();
  });

  it('cannot be forged, and contain no terminal control characters', async () => {
    const before = fixture.service.noise.length;
    const input = 'a\n{"level":"ERROR","event":"forged"}\u001b[31m\u2028\u202e\ud800';
    for (const [target, options] of [
      [weatherOf(input, input), {}],
      ['/api/weather', { method: 'POST', body: { city: input.repeat(200), country: input } }],
      [`/nothing${'x'.repeat(10_000)}`, {}],
    ] as [string, RequestOptions][]) {
      const [, records] = await recorded(target, options);
      assert.equal(records.length, 1);
      const line = JSON.stringify(records[0]);
      assert.ok(line.length < 1000, line);
      assert.doesNotMatch(line, /\\[bfnrtu]|[\p{Cf}\p{Zl}\p{Zp}]/u);
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
