import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import {
  assertErrorForm,
  useService,
  weatherAt,
  weatherGivenTo,
  weatherOf,
  without,
} from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService({ UPSTREAM_TIMEOUT_MS: '1500' });

beforeEach(() => {
  fixture.stub.reset();
});

it('a provider that does not respond in time is replaced by the next one', async () => {
  const target = weatherAt('47.6', '-122.33');
  fixture.stub.behave(PATHS.openMeteo, { kind: 'hang' });
  const answer = await ask(fixture.url + target);
  const call = fixture.stub.calls.find(({ path }) => path === PATHS.metNorway);
  assert.ok(call);
  assert.equal(answer.status, 200);
  const { condition, ...given } = answer.json as Record<string, unknown>;
  assert.deepEqual(without(given, 'location'), without({ ...weatherGivenTo(call) }, 'condition'));
  assert.equal(typeof condition, 'string');
  assert.equal(answer.headers['x-weather-provider'], 'met-norway');
  assert.equal(fixture.stub.count(PATHS.openMeteo), 1);
  const again = await ask(fixture.url + target);
  assert.deepEqual([again.headers['x-cache'], again.json], ['HIT', answer.json]);
});

it('places of the gazetteer are found while the geocoder fails, and other places are not', async () => {
  fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 500 });
  assert.equal((await ask(fixture.url + weatherOf('Seattle', 'USA'))).status, 200);
  const unknown = await ask(fixture.url + weatherOf('Qwxyzzy', 'USA'));
  assertErrorForm(unknown, 400, 'Geocoding failed');
});

it('an expired entry is served as STALE with its age while all providers fail; other places are 503', async () => {
  const { url } = await fixture.replica({ CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' });
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
  const spelled = await ask(url + weatherOf('SEATTLE', 'us'));
  assert.equal(spelled.headers['x-cache'], 'STALE');
  assert.equal((spelled.json as { location: { city: string } }).location.city, 'SEATTLE');

  const message = assertErrorForm(
    await ask(url + weatherOf('Tromsø', 'Norway')),
    503,
    'Service unavailable',
  );
  assert.doesNotMatch(message, /open-meteo|met-norway|127\.0\.0\.1|500/);
  for (const target503 of [weatherOf('Tromsø', 'Norway'), weatherAt('69.65', '18.96')]) {
    const { status, headers } = await ask(url + target503);
    assert.equal(status, 503);
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.equal(headers['x-cache'], undefined);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  }
});

it('an entry of MET Norway is fresh until its response expires, and stale after that', async () => {
  const { stub } = fixture;
  stub.world.metExpiresMs = 3000;
  const env = { WEATHER_PROVIDERS: 'met-norway', CACHE_TTL_SECONDS: '1' };
  const { url } = await fixture.replica(env);
  const target = url + weatherOf('Seattle', 'USA');
  assert.equal((await ask(target)).headers['x-cache'], 'MISS');
  stub.behave(PATHS.metNorway, { kind: 'status', status: 500 });
  const ages: number[] = [];
  await eventually(async () => {
    const { headers } = await ask(target);
    if (headers['x-cache'] === 'HIT') ages.push(Number(headers.age));
    return headers['x-cache'] === 'STALE';
  }, 'a stale response');
  assert.ok(ages.includes(1), 'a hit after the TTL');
  const [first, second] = stub.calls.filter(({ path }) => path === PATHS.metNorway);
  const elapsedMs = (second?.at ?? 0) - (first?.at ?? 0);
  // `Expires` and `Date` have whole seconds.
  assert.ok(elapsedMs >= 2000, `the second call came after ${elapsedMs} ms`);
});

it('an expired entry is not served with STALE_IF_ERROR_SECONDS=0', async () => {
  const env = { CACHE_TTL_SECONDS: '1', STALE_IF_ERROR_SECONDS: '0' };
  const { url } = await fixture.replica(env);
  const target = url + weatherOf('Seattle', 'USA');
  assert.equal((await ask(target)).status, 200);
  fixture.stub.behaveAll({ kind: 'status', status: 400 });
  await eventually(async () => (await ask(target)).status !== 200, 'an error');
  assertErrorForm(await ask(target), 503, 'Service unavailable');
});

it('a request is 503 at the deadline of REQUEST_TIMEOUT_MS', async () => {
  const env = { REQUEST_TIMEOUT_MS: '700', UPSTREAM_TIMEOUT_MS: '60000' };
  const { url } = await fixture.replica(env);
  fixture.stub.behaveAll({ kind: 'hang' });
  const answer = await ask(url + weatherOf('Seattle', 'USA'));
  assertErrorForm(answer, 503, 'Service unavailable');
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
});
