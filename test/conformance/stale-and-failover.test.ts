import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
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
import { type Behaviour, PATHS } from '../support/stand-in.js';

/** One of each way to fail. Which answers are none is decided in `upstream` and the adapters. */
const FAULTS: Record<string, Behaviour> = {
  'a 500': { kind: 'status', status: 500 },
  'an empty object': { kind: 'status', status: 200, body: '{}' },
  'no answer in time': { kind: 'hang' },
};

describe('the first provider', () => {
  const fixture = useService({ UPSTREAM_TIMEOUT_MS: '1500' });
  let latitude = 47.6;

  for (const [what, fault] of Object.entries(FAULTS)) {
    it(`first provider answers with ${what}: the second answers, and the client notices nothing`, async () => {
      latitude += 0.001;
      const target = weatherAt(latitude.toFixed(3), '-122.33');
      fixture.standIn.reset();
      fixture.standIn.behave(PATHS.openMeteo, fault);
      const answer = await ask(fixture.url + target);
      const call = fixture.standIn.calls.find(({ path }) => path === PATHS.metNorway);
      assert.ok(call);
      assert.equal(answer.status, 200);
      const { condition, ...given } = answer.json as Record<string, unknown>;
      assert.deepEqual(
        without(given, 'location'),
        without({ ...weatherGivenTo(call) }, 'condition'),
      );
      assert.equal(typeof condition, 'string');
      assert.equal(answer.headers['x-weather-provider'], 'met-norway');
      assert.equal(fixture.standIn.count(PATHS.openMeteo), 1);
      const again = await ask(fixture.url + target);
      assert.deepEqual([again.headers['x-cache'], again.json], ['HIT', answer.json]);

      // A success in between, or its breaker would keep it from being asked the next time.
      fixture.standIn.reset();
      await ask(fixture.url + weatherAt(latitude.toFixed(3), '-122.34'));
    });
  }

  it('geocoder: while it fails, places of the gazetteer are answered, and others fail', async () => {
    fixture.standIn.behave(PATHS.geocoding, { kind: 'status', status: 500 });
    assert.equal((await ask(fixture.url + weatherOf('Seattle', 'USA'))).status, 200);
    const unknown = await ask(fixture.url + weatherOf('Qwxyzzy', 'USA'));
    assertErrorForm(unknown, 400, 'Geocoding failed');
  });
});

describe('when every provider fails', () => {
  const env = {
    CACHE_TTL_SECONDS: '1',
    STALE_IF_ERROR_SECONDS: '3600',
    REFRESH_AHEAD_SECONDS: '0',
  };
  const fixture = useService(env, 'redis');
  const fail = (behaviour: Behaviour) => {
    fixture.standIn.behave(PATHS.openMeteo, behaviour);
    fixture.standIn.behave(PATHS.metNorway, behaviour);
  };

  beforeEach(() => {
    fixture.standIn.reset();
  });

  it('stale: an expired entry is served, marked as stale, with its age; other places fail', async () => {
    const target = weatherOf('Seattle', 'USA');
    const first = await ask(fixture.url + target);
    fail({ kind: 'status', status: 500 });
    await eventually(
      async () => (await ask(fixture.url + target)).headers['x-cache'] === 'STALE',
      'a stale answer',
    );
    const stale = await ask(fixture.url + target);
    assert.deepEqual([stale.status, stale.json], [200, first.json]);
    assert.equal(stale.headers['x-weather-provider'], 'open-meteo');
    assert.ok(Number(stale.headers.age) >= 1, stale.headers.age);
    assert.equal(stale.headers.etag, first.headers.etag);
    const spelled = await ask(fixture.url + weatherOf('SEATTLE', 'us'));
    assert.equal(spelled.headers['x-cache'], 'STALE');
    assert.equal((spelled.json as { location: { city: string } }).location.city, 'SEATTLE');

    const message = assertErrorForm(
      await ask(fixture.url + weatherOf('Tromsø', 'Norway')),
      503,
      'Service unavailable',
    );
    assert.doesNotMatch(message, /open-meteo|met-norway|127\.0\.0\.1|500/);
    for (const target503 of [weatherOf('Tromsø', 'Norway'), weatherAt('69.65', '18.96')]) {
      const { status, headers } = await ask(fixture.url + target503);
      assert.equal(status, 503);
      assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.equal(headers['x-cache'], undefined);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    }
    const posted = await ask(`${fixture.url}/api/weather`, {
      method: 'POST',
      body: { city: 'Tromsø', country: 'Norway' },
    });
    assertErrorForm(posted, 503, 'Service unavailable');
  });
});

describe('with STALE_IF_ERROR_SECONDS=0', () => {
  const fixture = useService({ CACHE_TTL_SECONDS: '1', STALE_IF_ERROR_SECONDS: '0' }, 'redis');

  it('stale: an expired entry is not served with STALE_IF_ERROR_SECONDS=0', async () => {
    const target = weatherOf('Seattle', 'USA');
    assert.equal((await ask(fixture.url + target)).status, 200);
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      fixture.standIn.behave(path, { kind: 'status', status: 400 });
    }
    await eventually(async () => (await ask(fixture.url + target)).status !== 200, 'an error');
    assertErrorForm(await ask(fixture.url + target), 503, 'Service unavailable');
  });
});

describe('a request that takes too long', () => {
  const fixture = useService({ REQUEST_TIMEOUT_MS: '700', UPSTREAM_TIMEOUT_MS: '60000' });

  it('REQUEST_TIMEOUT_MS: a request is answered 503 at its deadline', async () => {
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      fixture.standIn.behave(path, { kind: 'hang' });
    }
    const answer = await ask(fixture.url + weatherOf('Seattle', 'USA'));
    assertErrorForm(answer, 503, 'Service unavailable');
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  });
});
