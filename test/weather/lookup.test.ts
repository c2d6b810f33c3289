import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError, StoreUnavailableError } from '../../src/errors.js';
import { createMemoryCache } from '../../src/memory/cache.js';
import { cachedNow, type Cache, type Cached } from '../../src/weather/cache.js';
import { createLookup } from '../../src/weather/lookup.js';
import type { FetchQueue } from '../../src/weather/queue.js';
import { weatherRequest, type Fetched } from '../../src/weather/request.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const OSLO = weatherRequest({ latitude: 59.9127, longitude: 10.7461 });
const KEY = 'weather:59.9127:10.7461';
const VALUE: Fetched = {
  kind: 'weather',
  weather: { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 },
  provider: 'open-meteo',
};
const LIFE = { freshMs: 300_000, staleMs: 3_600_000 };
/** A deadline that no test reaches. */
const NEVER = scope();

/** A look-up over real memory caches, and a queue whose fetches end when the test says so. */
function setUp(options: { shared?: Cache | 'memory'; refreshAheadMs?: number } = {}) {
  const clock = manualClock();
  const near = createMemoryCache({ clock, maxEntries: 10 });
  const shared =
    options.shared === 'memory' ? createMemoryCache({ clock, maxEntries: 10 }) : options.shared;
  const fetches: { resolve(entry: Cached): void; reject(error: Error): void }[] = [];
  const demands: Cached[] = [];
  const queue: FetchQueue = {
    fetch: () =>
      new Promise((resolve, reject) => {
        fetches.push({
          resolve: (entry) => {
            resolve({ entry, leader: true });
          },
          reject,
        });
      }),
    noteDemand: (_request, entry) => void demands.push(entry),
  };
  const lookup = createLookup({
    near,
    shared,
    queue,
    clock,
    refreshAheadMs: options.refreshAheadMs ?? 0,
    storeTimeMs: 75,
  });
  const fresh = () => cachedNow(VALUE, LIFE, clock.monotonic());
  return { clock, near, shared, fetches, demands, lookup, fresh };
}

/** Lets everything that is ready go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('look-up', () => {
  it('fetches on a miss and answers from its copy then', async () => {
    const { lookup, fetches, fresh } = setUp();
    const first = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.resolve(fresh());
    assert.equal((await first).outcome, 'MISS');
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    assert.equal(fetches.length, 1);
  });

  it('joins concurrent requests for one key', async () => {
    const { lookup, fetches, fresh } = setUp();
    const all = Promise.all([lookup(OSLO, NEVER), lookup(OSLO, NEVER), lookup(OSLO, NEVER)]);
    await settle();
    assert.equal(fetches.length, 1);
    fetches[0]!.resolve(fresh());
    assert.deepEqual(
      (await all).map((result) => result.outcome),
      ['MISS', 'COALESCED', 'COALESCED'],
    );
  });

  it('fetches again when the fresh life is over, to the millisecond', async () => {
    const { lookup, near, fetches, fresh, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(299_999);
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    clock.advance(1);
    const expired = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.resolve(fresh());
    assert.equal((await expired).outcome, 'MISS');
  });

  it('takes what another process has put into the shared cache', async () => {
    const { lookup, shared, fetches, fresh } = setUp({ shared: 'memory' });
    await shared!.set(KEY, fresh());
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    assert.equal(fetches.length, 0);
  });

  it('answers stale, and says so, only when the fetch fails', async () => {
    const { lookup, near, fetches, fresh, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs + 1);
    const failing = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.reject(new ServiceUnavailableError('down'));
    assert.equal((await failing).outcome, 'STALE');
  });

  it('does not answer stale past the stale life', async () => {
    const { lookup, near, fetches, fresh, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs + LIFE.staleMs);
    const failing = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.reject(new ServiceUnavailableError('down'));
    await assert.rejects(failing, ServiceUnavailableError);
  });

  it('does not keep a failure: the next request fetches again', async () => {
    const { lookup, fetches, fresh } = setUp();
    const failing = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.reject(new ServiceUnavailableError('down'));
    await assert.rejects(failing, ServiceUnavailableError);
    const next = lookup(OSLO, NEVER);
    await settle();
    fetches[1]!.resolve(fresh());
    assert.equal((await next).outcome, 'MISS');
  });

  it('takes a shared cache that is away for a miss', async () => {
    const away = () => Promise.reject(new StoreUnavailableError('away'));
    const { lookup, fetches, fresh } = setUp({ shared: { get: away, set: away } });
    const first = lookup(OSLO, NEVER);
    await settle();
    fetches[0]!.resolve(fresh());
    assert.equal((await first).outcome, 'MISS');
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
  });

  it('gives up at the deadline of the caller, and goes on for the others', async () => {
    const { lookup, fetches, fresh, clock } = setUp();
    const impatient = lookup(OSLO, scope({ deadline: clock.monotonic() + 20 }));
    const patient = lookup(OSLO, NEVER);
    await assert.rejects(impatient, ServiceUnavailableError);
    fetches[0]!.resolve(fresh());
    assert.equal((await patient).outcome, 'COALESCED');
  });

  it('notes the demand for an entry in its last seconds only', async () => {
    const { lookup, near, fresh, clock, demands } = setUp({ refreshAheadMs: 20_000 });
    const entry = fresh();
    near.put(KEY, entry);
    clock.advance(LIFE.freshMs - 20_001);
    await lookup(OSLO, NEVER);
    assert.equal(demands.length, 0);
    clock.advance(1);
    await lookup(OSLO, NEVER);
    assert.deepEqual(demands, [entry]);
  });
});
