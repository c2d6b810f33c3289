import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApart } from '../support/apart.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { changesOf } from '../support/slow-redis.js';

/** All that a request may wait for Redis, and twice the lateness of a timer. */
const STORE_MS = 300;
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
      // What others on the machine add they do not add to each.
      async function least(first: number): Promise<number> {
        const took: number[] = [];
        for (let n = 0; n < 8; n += 1) {
          const reply = await attempt(url(placePath(first + n)));
          assert.equal(reply.status, 200);
          took.push(reply.ms);
        }
        return Math.min(...took);
      }
      const usual = await least(10);
      relays[0]!.delayBy(80);
      const more = (await least(20)) - usual;
      t.diagnostic(`${usual.toFixed()} ms, and ${more.toFixed()} ms more`);
      assert.ok(more >= 80, `${more} ms: Redis was not late`);
      assert.ok(more <= STORE_MS, `${more} ms more`);
      assert.deepEqual(changesOf(replicas[0]!), []);
    });
  }
});
