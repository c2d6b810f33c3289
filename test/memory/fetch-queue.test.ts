import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCache } from '../../src/memory/cache.js';
import { createMemoryFetchQueue } from '../../src/memory/fetch-queue.js';
import { cachedNow } from '../../src/weather/cache.js';
import { weatherRequest, type Fetched } from '../../src/weather/request.js';
import { manualClock } from '../support/manual-clock.js';
import { turn } from '../support/eventually.js';

const OSLO = weatherRequest({ latitude: 59.9127, longitude: 10.7461 });
const VALUE: Fetched = { kind: 'geocode', point: null, provider: 'x' };

function setUp() {
  const clock = manualClock();
  const cache = createMemoryCache({ clock, maxEntries: 10 });
  let fetches = 0;
  const entry = () => cachedNow(VALUE, { freshMs: 1000, staleMs: 0 }, clock.monotonic(), 'fetch-1');
  const queue = createMemoryFetchQueue({
    fetcher: () => {
      fetches += 1;
      return Promise.resolve(entry());
    },
    cache,
    signal: new AbortController().signal,
  });
  return { queue, cache, entry, count: () => fetches };
}

describe('fetch queue in memory', () => {
  it('refreshes an entry at the third request that notes demand, once', async () => {
    const { queue, cache, entry, count } = setUp();
    const old = entry();
    const counts: number[] = [];
    for (let request = 1; request <= 5; request += 1) {
      queue.noteDemand(OSLO, old);
      counts.push(count());
    }
    assert.deepEqual(counts, [0, 0, 1, 1, 1]);
    await turn();
    assert.ok(cache.peek('weather:59.9127:10.7461'));
  });

  it('counts the demand for each entry anew', () => {
    const { queue, entry, count } = setUp();
    const [first, second] = [entry(), entry()];
    queue.noteDemand(OSLO, first);
    queue.noteDemand(OSLO, first);
    queue.noteDemand(OSLO, second);
    assert.equal(count(), 0);
  });
});
