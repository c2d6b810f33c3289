import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertErrorForm, useService, weatherAt } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { forecastAt } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';
import type { Service } from '../support/service.js';
import { PATHS, type Damage } from '../support/stub-provider.js';

const DAY_MS = 86_400_000;
/** Older than every series. */
const OLD: Damage = { ageMs: 20 * DAY_MS };

const fixture = useService({ RATE_LIMIT_PER_IP: '0' });

beforeEach(() => {
  fixture.stub.reset();
});

/** Two kinds of queries about a point. */
const KINDS = [
  ['current weather', weatherAt],
  ['a forecast', forecastAt],
] as const;

describe('old data of a provider', () => {
  let alone: Service;
  before(async () => {
    const env = { WEATHER_PROVIDERS: 'open-meteo', REFRESH_AHEAD_SECONDS: '0' };
    const ttl = { CACHE_TTL_SECONDS: '1', FORECAST_TTL_SECONDS: '1' };
    alone = await fixture.replica({ ...env, ...ttl });
  });

  for (const [index, [kind, targetAt]] of KINDS.entries()) {
    const latitude = (40.4406 + index / 10).toFixed(4);
    const point = [latitude, '-79.9959'] as const;
    const key = point.join();

    it(`is never stored: without a next provider, ${kind} is the last good one, then 503`, async () => {
      const target = alone.url + targetAt(...point);
      const good = await ask(target);
      assert.equal(good.headers['x-cache'], 'MISS');
      fixture.stub.damage(key, OLD);
      const isStale = async () => (await ask(target)).headers['x-cache'] === 'STALE';
      await eventually(isStale, 'a stale response');
      const stale = await ask(target);
      assert.deepEqual([stale.status, stale.json], [200, good.json]);

      const other = [latitude, '-80.1'] as const;
      fixture.stub.damage(other.join(), OLD);
      for (let call = 0; call < 4; call += 1) {
        const answer = await ask(alone.url + targetAt(...other));
        assertErrorForm(answer, 503, 'Service unavailable');
        assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      }
      assert.equal(fixture.stub.count(PATHS.openMeteo, other.join()), 4);
      assert.deepEqual(alone.of('breaker_open'), []);
      fixture.stub.damage(other.join(), {});
      assert.equal((await ask(alone.url + targetAt(...other))).headers['x-cache'], 'MISS');
    });
  }
});
