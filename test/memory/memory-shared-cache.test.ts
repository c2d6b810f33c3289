import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCache, createMemorySharedCache } from '../../src/memory/memory-cache.js';
import { cachedSince } from '../../src/weather/cache-entry.js';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import type { Fetcher } from '../../src/weather/fetch.js';
import type { Scope } from '../../src/weather/request-scope.js';
import { nextIteration } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';
import { pointRequest } from '../../src/weather/kinds/point.js';

const OSLO = pointRequest({ latitude: 59.9127, longitude: 10.7461 });
const KEY = 'weather:59.9127:10.7461';

function setUp() {
  const clock = manualClock();
  const cache = createMemoryCache({ clock, maxBytes: 1_000_000 });
  const fetched: string[] = [];
  const fetcher: Fetcher = <Value>(_kind: unknown, _request: unknown, { trace }: Scope) => {
    const fetchId = (trace.fetchId = `fetch-${fetched.length}`);
    fetched.push(fetchId);
    const value = { value: null as Value, provider: 'x' };
    return Promise.resolve(
      cachedSince(value, { freshMs: 1000, staleMs: 0 }, clock.monotonic(), fetchId),
    );
  };
  const queue = createMemorySharedCache({
    fetcher,
    cache,
    signal: new AbortController().signal,
  });
  return { queue, cache, fetched };
}

describe('the shared cache of a process without Redis', () => {
  it('fetches, and the trace names the fetch', async () => {
    const { queue, fetched } = setUp();
    const asker = scope();
    const shared = await queue.find(CURRENT_WEATHER, OSLO);
    assert.equal(shared.entry, undefined);
    const entry = await shared.fetch(asker);
    assert.equal(entry.fetchId, asker.trace.fetchId);
    assert.deepEqual(fetched, [entry.fetchId]);
  });

  it('puts a refreshed entry into the cache', async () => {
    const { queue, cache, fetched } = setUp();
    queue.refresh(CURRENT_WEATHER, OSLO, 20_000);
    await nextIteration();
    assert.equal(cache.peek(KEY)?.fetchId, fetched[0]);
  });
});
