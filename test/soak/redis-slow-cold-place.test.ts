import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApart } from '../support/apart.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { changesOf } from '../support/slow-redis.js';

/** All that a request may wait for Redis, the last tick of its timer included. */
const STORE_MS = 260;
/** All else that a cold place costs here. */
const USUAL_MS = 60;
const LIMITS = { RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '1000' };

describe('a cold place while Redis is late by a steady 80 ms', () => {
  for (const [what, providers] of [
    ['kept answers and a budget', 'met-norway'],
    ['two budgets, of which the first provider fails', 'open-meteo,met-norway'],
  ] as const) {
    it(`waits a quarter of a second for Redis in all: ${what}`, async (t) => {
      const { upstream, url, replicas, relays } = await startApart(t, {
        ...{ replicas: 1, workers: 0, env: { ...LIMITS, WEATHER_PROVIDERS: providers } },
      });
      if (providers !== 'met-norway')
        upstream.behave('/v1/forecast', { kind: 'status', status: 500 });
      relays[0]!.delayBy(80);
      const took: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        const reply = await attempt(url(placePath(10 + n)));
        assert.equal(reply.status, 200);
        took.push(reply.ms);
      }
      // What the machine adds it does not add to each.
      const least = Math.min(...took);
      assert.ok(least >= 160, `${least} ms: Redis was not late`);
      assert.ok(least <= STORE_MS + USUAL_MS, `at least ${Math.round(least)} ms`);
      assert.deepEqual(changesOf(replicas[0]!), []);
    });
  }
});
