import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCache } from '../../src/memory/cache.js';
import { createMemoryFetchQueue } from '../../src/memory/fetch-queue.js';
import { cachedNow } from '../../src/weather/cache.js';
import { weatherRequest, type Fetched } from '../../src/weather/request.js';
import { turn } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const OSLO = weatherRequest({ latitude: 59.9127, longitude: 10.7461 });
const KEY = 'weather:59.9127:10.7461';
const VALUE: Fetched = { kind: 'geocode', point: null, provider: 'x' };

function setUp() {
  const clock = manualClock();
  const cache = createMemoryCache({ clock, maxEntries: 10 });
  const fetched: string[] = [];
  const queue = createMemoryFetchQueue({
    fetcher: (_request, { fetchId }) => {
      fetched.push(fetchId);
      return Promise.resolve(
        cachedNow(VALUE, { freshMs: 1000, staleMs: 0 }, clock.monotonic(), fetchId),
      );
    },
    cache,
    signal: new AbortController().signal,
  });
  return { queue, cache, fetched };
}

describe('fetch queue in memory', () => {
  it('fetches for whoever asks, under an id of its own that the trace names', async () => {
    const { queue, fetched } = setUp();
    const asker = scope();
    const asked = await queue.ask(OSLO, asker, true);
    assert.ok(asked.kind === 'fetch');
    const { entry, caused } = await asked.end;
    assert.deepEqual([entry.fetchId, caused], [asker.trace.fetchId, true]);
    assert.deepEqual(fetched, [entry.fetchId]);
  });

  it('begins no fetch that may not begin', async () => {
    const { queue, fetched } = setUp();
    assert.deepEqual(await queue.ask(OSLO, scope(), false), { kind: 'none', stale: undefined });
    assert.deepEqual(fetched, []);
  });

  it('puts a refreshed entry into the cache', async () => {
    const { queue, cache, fetched } = setUp();
    assert.equal(queue.refresh(OSLO), true);
    await turn();
    assert.equal(cache.peek(KEY)?.fetchId, fetched[0]);
  });
});
