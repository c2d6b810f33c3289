import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import {
  assertAge,
  assertErrorForm,
  useService,
  weatherAt,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { without } from '../support/without.js';
import { eventually } from '../support/eventually.js';
import { forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import { callIn, post } from '../support/mcp.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService({ UPSTREAM_TIMEOUT_MS: '1500' });

beforeEach(() => {
  fixture.stub.reset();
});

describe('a failing provider', () => {
  it('that does not respond in time is replaced by the next one', async () => {
    const target = weatherAt('47.6', '-122.33');
    fixture.stub.behave(PATHS.openMeteo, { kind: 'hang' });
    const answer = await ask(fixture.url + target);
    const call = fixture.stub.calls.find(({ path }) => path === PATHS.metNorway);
    assert.ok(call);
    assert.equal(answer.status, 200);
    const given = without(answer.json as Record<string, unknown>, 'location', 'condition');
    assert.deepEqual(given, without({ ...weatherGivenTo(call) }, 'condition'));
    assert.equal(answer.headers['x-weather-provider'], 'met-norway');
    assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
    const again = await ask(fixture.url + target);
    assert.deepEqual([again.headers['x-cache'], again.json], ['HIT', answer.json]);
  });

  it('does not affect places of the gazetteer if it is the geocoder', async () => {
    fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 500 });
    assert.equal((await ask(fixture.url + weatherOf('Seattle', 'USA'))).status, 200);
    const unknown = await ask(fixture.url + weatherOf('Qwxyzzy', 'USA'));
    assertErrorForm(unknown, 400, 'Geocoding failed');
  });
});

describe('data that no configured provider has', () => {
  const own = useService({ WEATHER_PROVIDERS: 'aviation-weather', METRICS_PORT: '0' });
  const MESSAGE = 'No weather provider of this service has this data for this place.';

  it('is named by one WARNING at the start', async () => {
    const { level, kinds } = await own.service.waitFor('kinds_not_offered');
    assert.deepEqual([level, (kinds as string[]).slice(0, 2)], ['WARNING', ['forecast', 'hourly']]);
  });

  it('is a 503 that does not promise to end, at INFO, without a fetch', async () => {
    const answer = await ask(own.url + weatherOf('Oslo', 'Norway', '/api/v1/forecast'));
    assert.equal(assertErrorForm(answer, 503, 'Service unavailable'), MESSAGE);
    assert.equal(answer.headers['retry-after'], '86400');
    const record = await own.service.waitFor('weather_request');
    assert.deepEqual([record.level, record['err']], ['INFO', undefined]);
    assert.deepEqual(
      own.service.records.filter(({ event }) => event === 'fetch'),
      [],
    );
  });
});

describe('without Open-Meteo among the providers', () => {
  const own = useService({
    WEATHER_PROVIDERS: 'met-norway',
    OPEN_METEO_GEOCODING_URL: '',
  });

  it('no name is sent to a geocoder, and the start record has the geocoder none', async () => {
    const started = await own.service.waitFor('server_started');
    assert.equal(started['geocoder'], 'none');
    const unknown = await ask(own.url + weatherOf('Qwxyzzy', 'USA'));
    assertErrorForm(unknown, 400, 'Geocoding failed');
    assert.equal((await ask(own.url + weatherOf('Seattle', 'USA'))).status, 200);
    const { provider } = await own.service.waitFor('fetch');
    assert.equal(provider, 'met-norway');
    assert.deepEqual(own.service.of('upstream_failed'), []);
  });
});

describe('a geocoder that responds with an error and status 200', () => {
  it('is reported as failing, and the place is found as soon as it works', async () => {
    const target = fixture.url + weatherOf('Zeroville', 'Ghana');
    const body = '{"error":true,"reason":"The service is overloaded"}';
    fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
    assertErrorForm(await ask(target), 400, 'Geocoding failed');
    await fixture.service.waitFor(
      'upstream_failed',
      ({ provider, failure }) => provider === 'open-meteo-geocoding' && failure === 'bad_answer',
    );
    fixture.stub.reset();
    assert.equal((await ask(target)).status, 200);
  });
});

describe('while all providers fail', () => {
  it('an expired entry is served as STALE with its age, and requests for other places fail with 503', async () => {
    const { url } = await fixture.replica({
      ...{ CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0', MCP_ENABLED: 'true' },
    });
    const target = url + weatherOf('Seattle', 'USA');
    const first = await ask(target);
    fixture.stub.behaveAll({ kind: 'status', status: 500 });
    await eventually(
      async () => (await ask(target)).headers['x-cache'] === 'STALE',
      'a stale answer',
    );
    const stale = await ask(target);
    assert.deepEqual([stale.status, stale.json], [200, first.json]);
    assert.equal(stale.headers['x-weather-provider'], 'open-meteo');
    assert.ok(Number(stale.headers.age) >= 1, stale.headers.age);
    assert.equal(stale.headers.etag, first.headers.etag);
    const call = callIn('2025-11-25', 'current_weather', { city: 'Seattle', country: 'USA' });
    const { result } = (await post(url, call)).json as {
      result: { structuredContent: { is_stale: boolean } };
    };
    assert.equal(result.structuredContent.is_stale, true);

    for (const target503 of [weatherOf('Tromsø', 'Norway'), weatherAt('69.65', '18.96')]) {
      const answer = await ask(url + target503);
      const message = assertErrorForm(answer, 503, 'Service unavailable');
      assert.doesNotMatch(message, /open-meteo|met-norway|127\.0\.0\.1|500/);
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal(answer.headers['x-cache'], undefined);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    }
  });

  it('a request fails with 503 at the deadline of REQUEST_TIMEOUT_MS', async () => {
    const env = { REQUEST_TIMEOUT_MS: '700', UPSTREAM_TIMEOUT_MS: '60000' };
    const { url } = await fixture.replica(env);
    fixture.stub.behaveAll({ kind: 'hang' });
    const answer = await ask(url + weatherOf('Seattle', 'USA'));
    assertErrorForm(answer, 503, 'Service unavailable');
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  });
});

describe('the daily forecast', () => {
  let url = '';
  before(async () => {
    ({ url } = await fixture.replica({
      ...{ FORECAST_TTL_SECONDS: '1', CACHE_TTL_SECONDS: '3600' },
      ...{ REFRESH_AHEAD_SECONDS: '0', STALE_IF_ERROR_SECONDS: '600' },
    }));
  });

  it('expires after FORECAST_TTL_SECONDS, and current weather after its own TTL', async () => {
    await ask(url + weatherOf('Seattle', 'USA'));
    await ask(url + forecastOf('Seattle', 'USA'));
    await eventually(
      async () => (await ask(url + forecastOf('Seattle', 'USA'))).headers['x-cache'] === 'MISS',
      'another fetch of the forecast',
    );
    assert.equal((await ask(url + weatherOf('Seattle', 'USA'))).headers['x-cache'], 'HIT');
  });

  it('is fresh until the response of MET Norway expires, if that is later', async () => {
    fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    const { headers } = await ask(url + forecastOf('Oslo', 'Norway'));
    assert.equal(headers['x-weather-provider'], 'met-norway');
    assert.match(String(headers['cache-control']), /^public, max-age=(1799|1800), /);
  });

  it('has a max-age that counts from the fetch of its data, also if the data is stale', async () => {
    const target = url + forecastOf('Boston', 'USA');
    const sent = performance.now();
    const first = await ask(target);
    assertAge(first, sent);
    fixture.stub.behaveAll({ kind: 'status', status: 500 });
    await eventually(
      async () => (await ask(target)).headers['x-cache'] === 'STALE',
      'a stale answer',
    );
    const stale = await ask(target);
    for (const { headers } of [first, stale]) {
      assert.equal(
        headers['cache-control'],
        'public, max-age=1, stale-while-revalidate=5, stale-if-error=600',
      );
    }
    // Its age is at least its lifetime: a cache has to ask again.
    assert.match(String(stale.headers.age), /^[1-9]/);
  });
});
