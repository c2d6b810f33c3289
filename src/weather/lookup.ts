import { ServiceUnavailableError, StoreUnavailableError } from '../errors.js';
import type { Cache, Cached } from './cache.js';
import type { FetchQueue } from './queue.js';
import { requestKey, type FetchRequest } from './request.js';
import { StoreTime, type Scope } from './scope.js';
import type { Clock } from './types.js';

/** How an answer came about, as `X-Cache` tells it. */
export type CacheOutcome = 'HIT' | 'MISS' | 'COALESCED' | 'STALE';

export interface LookupResult {
  entry: Cached;
  outcome: CacheOutcome;
}

export interface LookupOptions {
  /** This process's own bounded copy. */
  near: NearCache;
  /** The cache that all replicas share; undefined when this process is alone. */
  shared: Cache | undefined;
  queue: FetchQueue;
  clock: Clock;
  /** In the last so many milliseconds of its life an entry in demand is refreshed; 0 is off. */
  refreshAheadMs: number;
  /** What one shared look-up may wait for the shared store, of the time that a request has for it. */
  storeTimeMs: number;
}

/** A cache in this process answers at once. */
export interface NearCache {
  peek(key: string): Cached | undefined;
  put(key: string, entry: Cached): void;
  drop(key: string): void;
}

/**
 * @throws ServiceUnavailableError when nothing could answer, or not in time
 */
export type Lookup = (request: FetchRequest, scope: Scope) => Promise<LookupResult>;

/**
 * Cache → coalesce → fetch. Concurrent requests of this process for one key share one look-up;
 * those of other processes meet in the queue.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { near, shared, queue, clock, refreshAheadMs, storeTimeMs } = options;
  const flights = new Map<string, Promise<LookupResult>>();

  return async (request, scope) => {
    const key = requestKey(request);
    const copy = near.peek(key);
    if (copy && isFresh(copy)) return hit(request, copy);
    const flight = flights.get(key);
    const remainingMs = scope.deadline - clock.monotonic();
    if (flight) return beforeDeadline(flight.then(joined), remainingMs);
    const started = fly(request, key, copy, scope).finally(() => flights.delete(key));
    flights.set(key, started);
    return beforeDeadline(started, remainingMs);
  };

  async function fly(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    { signal, deadline }: Scope,
  ): Promise<LookupResult> {
    const scope: Scope = { signal, deadline, storeTime: new StoreTime(storeTimeMs) };
    const found = (await readShared(key, scope)) ?? copy;
    if (found && isFresh(found)) {
      near.put(key, found);
      return hit(request, found);
    }
    try {
      const { entry, leader } = await queue.fetch(request, scope);
      near.put(key, entry);
      return { entry, outcome: leader ? 'MISS' : 'COALESCED' };
    } catch (error) {
      if (
        found &&
        error instanceof ServiceUnavailableError &&
        clock.monotonic() < found.staleUntil
      ) {
        return { entry: found, outcome: 'STALE' };
      }
      throw error;
    }
  }

  /** A store that is away is a miss: the near copy and the queue's own fallback take over. */
  async function readShared(key: string, scope: Scope): Promise<Cached | undefined> {
    try {
      return await shared?.get(key, scope);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    }
  }

  function hit(request: FetchRequest, entry: Cached): LookupResult {
    if (entry.freshUntil - clock.monotonic() <= refreshAheadMs) queue.noteDemand(request, entry);
    return { entry, outcome: 'HIT' };
  }

  function isFresh(entry: Cached): boolean {
    return clock.monotonic() < entry.freshUntil;
  }
}

/** Whoever joins a look-up that had to fetch was coalesced; hits and stale answers are what they are. */
function joined(result: LookupResult): LookupResult {
  return result.outcome === 'MISS' ? { ...result, outcome: 'COALESCED' } : result;
}

/** The caller stops waiting at its deadline; the look-up goes on for the others. */
async function beforeDeadline<T>(work: Promise<T>, remainingMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ServiceUnavailableError('The request took too long'));
    }, remainingMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
