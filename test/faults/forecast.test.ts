import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst, startLoad, tally } from '../support/load.js';
import { nthPlace, placeKey } from '../support/places.js';
import type { Processes } from '../support/stack.js';
import { useStack } from '../support/shared-stack.js';
import { workerFetches } from '../support/coordinated-fetches.js';
import { PATHS } from '../support/stub-provider.js';

/** The path of a forecast for the n-th place. */
function forecastPath(n: number, days = 3): string {
  const { latitude, longitude } = nthPlace(n);
  return `/api/v1/forecast/coordinates?lat=${latitude}&lon=${longitude}&days=${days}`;
}

/** The fetches of the n-th place on which all processes agreed. */
function agreedForecasts({ upstream, replicas }: Processes, n: number): number {
  const { latitude, longitude } = nthPlace(n);
  const key = `forecast:${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
  const alone = replicas
    .flatMap((replica) => replica.of('fetch'))
    .filter((record) => record['key'] === key && record['uncoordinated']);
  return upstream.count(PATHS.openMeteo, placeKey(n)) - alone.length;
}

describe('the forecast of three replicas and a worker', () => {
  const stackOf = useStack({
    replicas: 3,
    workers: 1,
    env: { FORECAST_TTL_SECONDS: '10', REFRESH_AHEAD_SECONDS: '1', STALE_IF_ERROR_SECONDS: '60' },
  });

  it('forecast: requests for different numbers of days cause one fetch', async () => {
    const stack = stackOf();
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 2000 });
    const urls = Array.from({ length: 210 }, (_, n) => stack.url(forecastPath(1, 1 + (n % 7))));
    const replies = await burst(urls);
    assertOutcomes(replies, /^200 (MISS|COALESCED|HIT)$/);
    const { '200 MISS': misses = 0 } = tally(replies);
    assert.ok(misses >= 1 && misses <= stack.replicas.length, `${misses} misses`);
    assert.equal(agreedForecasts(stack, 1), 1);
    const lengths = replies.map(({ json }) => (json as { days: object[] }).days.length);
    assert.deepEqual([...new Set(lengths)].sort(), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('forecast: a place in demand is refreshed before it expires, and a cold one is not', async (t) => {
    const stack = stackOf();
    const [hot, cold] = [11, 12];
    for (const replica of stack.replicas) {
      for (const n of [hot, cold]) await attempt(replica.url + forecastPath(n));
    }
    const fetched = (n: number) => stack.upstream.count(PATHS.openMeteo, placeKey(n));
    const load = startLoad(t, {
      clients: 3,
      next: (count) => stack.url(forecastPath(hot, 1 + (count % 7))),
      pauseMs: 50,
    });
    await eventually(() => fetched(hot) === 2, 'a refresh');
    // The first entry expires now, and the refreshed one replaces it.
    await sleep(1500);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    assert.equal(fetched(cold), 1);
  });

  it('forecast: every replica serves an expired entry as stale while all providers fail', async () => {
    const stack = stackOf();
    await attempt(stack.url(forecastPath(21)));
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    for (const replica of stack.replicas) {
      await eventually(async () => {
        const { status, headers } = await attempt(replica.url + forecastPath(21, 7));
        assert.equal(status, 200);
        return headers['x-cache'] === 'STALE';
      }, 'a stale response');
    }
    const cold = await attempt(stack.url(forecastPath(22)));
    assert.equal(cold.status, 503);
  });
});
