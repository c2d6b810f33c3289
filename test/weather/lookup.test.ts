import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError } from '../../src/errors.js';
import { createMemoryCache } from '../../src/memory/memory-cache.js';
import { cachedNow, type Cached } from '../../src/weather/cache-entry.js';
import { CURRENT_WEATHER, weatherRequest } from '../../src/weather/current-weather.js';
import type { Kind } from '../../src/weather/kind.js';
import { createLookup } from '../../src/weather/lookup.js';
import type { FetchQueue } from '../../src/weather/queue.js';
import type { Scope } from '../../src/weather/request-scope.js';
import type { Weather } from '../../src/weather/types.js';
import { nextIteration } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const OSLO = weatherRequest({ latitude: 59.9127, longitude: 10.7461 });
const KEY = 'weather:59.9127:10.7461';
const FETCHED = {
  value: { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 },
  provider: 'open-meteo',
};
const LIFE = { freshMs: 300_000, staleMs: 3_600_000 };
/** A deadline that no test reaches. */
const NEVER = scope();

/** A lookup over a real near cache, and a queue whose fetches end when the test says so. */
function setUp(
  options: {
    shared?: () => Cached<Weather>;
    refreshAheadMs?: number;
    maxWaitMs?: number;
  } = {},
) {
  const clock = manualClock();
  const near = createMemoryCache({ clock, maxEntries: 10 });
  const fetches: {
    resolve(entry: Cached<Weather>): void;
    reject(error: Error): void;
  }[] = [];
  const refreshes: unknown[] = [];
  let abandoned = 0;
  const queue: FetchQueue = {
    read: <Value>() => Promise.resolve(options.shared?.() as Cached<Value> | undefined),
    fetch: <Request, Value>(_kind: Kind<Request, Value>, _request: Request, { signal }: Scope) =>
      new Promise<Cached<Value>>((resolve, reject) => {
        fetches.push({
          resolve: (entry) => {
            resolve(entry as Cached<Value>);
          },
          reject,
        });
        signal.addEventListener('abort', () => {
          abandoned += 1;
          reject(signal.reason as Error);
        });
      }),
    refresh(_kind, request) {
      refreshes.push(request);
    },
  };
  const lookUp = createLookup({
    near,
    queue,
    clock,
    fetchesPerSecond: 0.8,
    maxQueuedMs: 20_000,
    maxWaitMs: options.maxWaitMs ?? 60_000,
    refreshAheadMs: options.refreshAheadMs ?? 0,
  });
  const lookup = (request: typeof OSLO, by: Scope) => lookUp(CURRENT_WEATHER, request, by);
  const fresh = () => cachedNow(FETCHED, LIFE, clock.monotonic(), 'fetch-1');
  /** Asks for Oslo, and ends the fetch that this begins. */
  async function askAndEnd(end: Cached<Weather> | Error) {
    const begun = fetches.length;
    const answer = lookup(OSLO, NEVER);
    await nextIteration();
    if (end instanceof Error) fetches[begun]!.reject(end);
    else fetches[begun]!.resolve(end);
    return answer;
  }
  return { clock, near, fetches, refreshes, lookup, fresh, askAndEnd, abandoned: () => abandoned };
}

const DOWN = new ServiceUnavailableError('down');
const nthPlace = (n: number) => weatherRequest({ latitude: n, longitude: n });

describe('lookup', () => {
  it('fetches on a miss and answers from its copy then', async () => {
    const { lookup, fetches, fresh, askAndEnd } = setUp();
    assert.equal((await askAndEnd(fresh())).outcome, 'MISS');
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    assert.equal(fetches.length, 1);
  });

  it('joins concurrent requests for one key', async () => {
    const { lookup, fetches, fresh } = setUp();
    const all = Promise.all([lookup(OSLO, NEVER), lookup(OSLO, NEVER), lookup(OSLO, NEVER)]);
    await nextIteration();
    assert.equal(fetches.length, 1);
    fetches[0]!.resolve(fresh());
    assert.deepEqual(
      (await all).map((result) => result.outcome),
      ['MISS', 'COALESCED', 'COALESCED'],
    );
  });

  it('names its key and the fetch that brought the entry, for all who joined', async () => {
    const { lookup, fetches, fresh } = setUp();
    const scopes = [scope(), scope(), scope()];
    const all = scopes.slice(0, 2).map((each) => lookup(OSLO, each));
    await nextIteration();
    fetches[0]!.resolve(fresh());
    await Promise.all(all);
    await lookup(OSLO, scopes[2]!);
    for (const { trace } of scopes) {
      assert.deepEqual([trace.key, trace.fetchId], [KEY, 'fetch-1']);
    }
  });

  it('begins no more fetches than have room, also for places that are asked for at once', async () => {
    const { lookup, fetches } = setUp();
    const all = Array.from({ length: 50 }, (_, n) => lookup(nthPlace(n), NEVER));
    const refused = all.map((result) => result.catch((error: unknown) => error));
    await nextIteration();
    assert.equal(fetches.length, 16);
    for (const error of await Promise.all(refused.slice(16))) {
      assert.ok(error instanceof ServiceUnavailableError && error.retryAfterSeconds > 0);
    }
    for (const fetch of fetches) fetch.reject(DOWN);
    await Promise.all(refused);
  });

  it('rejects at once what cannot be fetched by its deadline', async () => {
    const { lookup, fetches, clock, fresh } = setUp();
    const soon = scope({ deadline: clock.monotonic() + 10_000 });
    const all = Array.from({ length: 50 }, (_, n) => lookup(nthPlace(n), soon));
    // The clock stands still: nothing has waited.
    for (const result of all.slice(8)) await assert.rejects(result, /Too many fetches are waiting/);
    assert.equal(fetches.length, 8);
    clock.advance(5000);
    await assert.rejects(lookup(OSLO, soon), /Too many fetches are waiting/);
    for (const fetch of fetches) fetch.resolve(fresh());
    await Promise.all(all.slice(0, 8));
  });

  it('fetches again when the fresh life is over, to the millisecond', async () => {
    const { lookup, near, fresh, askAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(299_999);
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    clock.advance(1);
    assert.equal((await askAndEnd(fresh())).outcome, 'MISS');
  });

  it('takes what another process has put into the shared cache', async () => {
    const { lookup, fetches } = setUp({
      shared: () => cachedNow(FETCHED, LIFE, 0, 'fetch-1'),
    });
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'HIT');
    assert.equal(fetches.length, 0);
  });

  it('answers stale, and says so, only when the fetch fails', async () => {
    const { near, fresh, askAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs + 1);
    assert.equal((await askAndEnd(DOWN)).outcome, 'STALE');
  });

  it('serves a stale entry without another fetch for a second after a failed fetch', async () => {
    const { lookup, near, fetches, fresh, askAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs);
    await askAndEnd(DOWN);
    clock.advance(999);
    assert.equal((await lookup(OSLO, NEVER)).outcome, 'STALE');
    assert.equal(fetches.length, 1);
    clock.advance(1);
    assert.equal((await askAndEnd(fresh())).outcome, 'MISS');
  });

  it('does not answer stale past the stale life', async () => {
    const { near, fresh, askAndEnd, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs + LIFE.staleMs);
    await assert.rejects(askAndEnd(DOWN), ServiceUnavailableError);
  });

  it('does not keep a failure: the next request fetches again', async () => {
    const { fresh, askAndEnd } = setUp();
    await assert.rejects(askAndEnd(DOWN), ServiceUnavailableError);
    assert.equal((await askAndEnd(fresh())).outcome, 'MISS');
  });

  it('answers with a stale entry of another process when the fetch fails', async () => {
    const { askAndEnd, clock } = setUp({
      shared: () => cachedNow(FETCHED, LIFE, 0, 'fetch-1'),
    });
    clock.advance(LIFE.freshMs);
    assert.equal((await askAndEnd(DOWN)).outcome, 'STALE');
  });

  it('refuses at once while as many wait as may, and still answers hits', async () => {
    const { lookup, fetches, fresh } = setUp();
    const waiting = Array.from({ length: 16 }, (_, n) => lookup(nthPlace(n), NEVER));
    await nextIteration();
    await assert.rejects(lookup(OSLO, NEVER), /Too many fetches are waiting/);
    assert.equal(fetches.length, 16);
    for (const fetch of fetches) fetch.resolve(fresh());
    await Promise.all(waiting);
    assert.equal((await lookup(nthPlace(15), NEVER)).outcome, 'HIT');
    const next = lookup(OSLO, NEVER);
    await nextIteration();
    fetches[16]!.resolve(fresh());
    assert.equal((await next).outcome, 'MISS');
  });

  it('aborts the fetch when its last request has left, and starts a new fetch for the next request', async () => {
    const { lookup, fetches, fresh, clock, abandoned } = setUp();
    const soon = (ms: number) => scope({ deadline: clock.monotonic() + ms });
    const leaving = [lookup(OSLO, soon(20)), lookup(OSLO, soon(60))];
    await assert.rejects(leaving[0]!, /took too long/);
    assert.equal(abandoned(), 0);
    await assert.rejects(leaving[1]!, /took too long/);
    assert.equal(abandoned(), 1);
    const next = lookup(OSLO, NEVER);
    await nextIteration();
    fetches[1]!.resolve(fresh());
    assert.equal((await next).outcome, 'MISS');
  });

  it('waits for a fetch no longer than it may, whatever the deadline of the request', async () => {
    const { lookup, abandoned } = setUp({ maxWaitMs: 20 });
    await assert.rejects(lookup(OSLO, NEVER), ServiceUnavailableError);
    assert.equal(abandoned(), 1);
  });

  it('gives up at the deadline of the caller, and goes on for the others', async () => {
    const { lookup, fetches, fresh, clock } = setUp();
    const impatient = lookup(OSLO, scope({ deadline: clock.monotonic() + 20 }));
    const patient = lookup(OSLO, NEVER);
    await assert.rejects(impatient, ServiceUnavailableError);
    fetches[0]!.resolve(fresh());
    assert.equal((await patient).outcome, 'COALESCED');
  });

  it('answers stale at the deadline of the caller', async () => {
    const { lookup, near, fresh, clock } = setUp();
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs);
    const impatient = lookup(OSLO, scope({ deadline: clock.monotonic() + 20 }));
    assert.equal((await impatient).outcome, 'STALE');
  });

  it('prefers its own copy to an older shared entry, while both are stale', async () => {
    const { near, fresh, askAndEnd, clock } = setUp({
      shared: () => cachedNow(FETCHED, LIFE, 0, 'fetch-1'),
    });
    clock.advance(1000);
    const copy = fresh();
    near.put(KEY, copy);
    clock.advance(LIFE.freshMs);
    assert.deepEqual(await askAndEnd(DOWN), { entry: copy, outcome: 'STALE' });
    assert.equal(near.peek(KEY), copy);
  });

  it('gives up what it waits for when the process ends', async () => {
    const { lookup, abandoned } = setUp();
    const ending = new AbortController();
    const waiting = lookup(OSLO, scope({ signal: ending.signal }));
    await nextIteration();
    ending.abort(new Error('The process ends'));
    await assert.rejects(waiting, /The process ends/);
    assert.equal(abandoned(), 1);
  });

  it('has an entry refreshed once, at the third request in its last seconds', async () => {
    const { lookup, near, fresh, clock, refreshes } = setUp({
      refreshAheadMs: 20_000,
    });
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs - 20_001);
    for (let n = 0; n < 5; n += 1) await lookup(OSLO, NEVER);
    assert.equal(refreshes.length, 0);
    clock.advance(1);
    const counts: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await lookup(OSLO, NEVER);
      counts.push(refreshes.length);
    }
    assert.deepEqual(counts, [0, 0, 1, 1, 1]);
    assert.deepEqual(refreshes, [OSLO]);
    // The next entry is counted anew.
    near.put(KEY, fresh());
    clock.advance(LIFE.freshMs - 20_000);
    for (let n = 0; n < 2; n += 1) await lookup(OSLO, NEVER);
    assert.equal(refreshes.length, 1);
  });

  it('does not refresh an entry before its provider allows another call', async () => {
    const { lookup, near, clock, refreshes } = setUp({ refreshAheadMs: 20_000 });
    near.put(
      KEY,
      cachedNow({ ...FETCHED, freshForMs: 290_000 }, LIFE, clock.monotonic(), 'fetch-1'),
    );
    const ask = async (times: number) => {
      for (let request = 0; request < times; request += 1) await lookup(OSLO, NEVER);
      return refreshes.length;
    };
    clock.advance(289_999);
    assert.equal(await ask(9), 0);
    clock.advance(1);
    assert.equal(await ask(3), 1);
  });
});
