import { ServiceUnavailableError } from '../errors.js';
import type { Cached, NearCache } from './cache.js';
import type { Asked, FetchQueue } from './queue.js';
import { requestKey, type FetchRequest } from './request.js';
import type { Scope, Trace } from './scope.js';
import { withTimeLimit } from '../time-limit.js';
import type { Clock } from './types.js';

/** How an answer came about, as `X-Cache` tells it. */
export type CacheOutcome = 'HIT' | 'MISS' | 'COALESCED' | 'STALE';

export interface LookupResult {
  entry: Cached;
  outcome: CacheOutcome;
}

export interface LookupOptions {
  /** This process's own bounded copies. */
  near: NearCache;
  queue: FetchQueue;
  clock: Clock;
  /** In the last so many milliseconds of its fresh life an entry in demand is refreshed; 0: never. */
  refreshAheadMs: number;
  /** The most lookups that may wait for a fetch: more are refused at once. */
  maxWaiting: number;
  /** How long one waits for a fetch, in milliseconds, unless its request ends earlier. */
  maxWaitMs: number;
}

/** @throws ServiceUnavailableError when nothing could answer, or not by the deadline */
export type Lookup = (request: FetchRequest, scope: Scope) => Promise<LookupResult>;

/** The request for an entry that soon expires which has it refreshed. */
const DEMAND_THRESHOLD = 3;

/** A lookup that several requests of this process share. Who began it gives its trace and its time. */
interface SharedLookup {
  result: Promise<LookupResult>;
  /** Names the fetch as soon as that is known. */
  scope: Scope;
  /** How many wait for it. */
  waiting: number;
  /** Nobody does any more. */
  abandon(reason: unknown): void;
}

/**
 * Near copy → shared entry → one fetch for all. Concurrent requests of this process for one key
 * share one lookup; those of other processes meet in the queue.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { near, queue, clock, refreshAheadMs, maxWaiting, maxWaitMs } = options;
  const shared = new Map<string, SharedLookup>();
  let fetching = 0;
  /** Requests for an entry in its last seconds; Infinity once its refresh has begun. */
  const demand = new WeakMap<Cached, number>();

  return async (request, scope) => {
    const key = requestKey(request);
    scope.trace.key = key;
    const copy = near.peek(key);
    if (copy && clock.monotonic() < copy.freshUntil) return hit(request, copy, scope.trace);
    const others = shared.get(key);
    const lookup = others ?? begin(request, key, copy, scope);
    lookup.waiting += 1;
    let left: unknown;
    try {
      const result = others ? lookup.result.then(joined) : lookup.result;
      return await inTime(result, scope);
    } catch (error) {
      left = error;
      return staleFor(error, copy);
    } finally {
      lookup.waiting -= 1;
      if (lookup.waiting === 0 && left !== undefined) lookup.abandon(left);
      scope.trace.fetchId = lookup.scope.trace.fetchId;
      // Whoever shared the lookup has waited as long for the store.
      scope.storeMs = Math.min(scope.storeMs, lookup.scope.storeMs);
    }
  };

  function begin(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    { deadline, storeMs, trace: { parent } }: Scope,
  ): SharedLookup {
    const controller = new AbortController();
    const scope: Scope = { signal: controller.signal, deadline, storeMs, trace: { parent } };
    const result = Promise.resolve()
      .then(() => lookUp(request, key, copy, scope))
      .finally(() => {
        if (shared.get(key) === lookup) shared.delete(key);
      });
    // Also when nobody waits for it any more.
    result.catch(() => undefined);
    const lookup: SharedLookup = {
      result,
      scope,
      waiting: 0,
      abandon(reason) {
        // Who comes now begins anew.
        if (shared.get(key) === lookup) shared.delete(key);
        controller.abort(reason);
      },
    };
    shared.set(key, lookup);
    return lookup;
  }

  async function lookUp(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    scope: Scope,
  ): Promise<LookupResult> {
    // Before the question: of thousands that come at once, only as many begin a fetch as may wait.
    const mayFetch = fetching < maxWaiting;
    if (mayFetch) fetching += 1;
    try {
      const asked = await queue.ask(request, scope, mayFetch);
      if (asked.kind === 'entry') {
        near.put(key, asked.entry);
        return hit(request, asked.entry, scope.trace);
      }
      return await fetched(key, copy, scope.trace, asked);
    } finally {
      if (mayFetch) fetching -= 1;
    }
  }

  async function fetched(
    key: string,
    copy: Cached | undefined,
    trace: Trace,
    asked: Exclude<Asked, { kind: 'entry' }>,
  ): Promise<LookupResult> {
    try {
      if (asked.kind === 'none') throw asked.failure ?? busy();
      const { entry, caused } = await asked.end;
      near.put(key, entry);
      trace.fetchId = entry.fetchId;
      return { entry, outcome: caused ? 'MISS' : 'COALESCED' };
    } catch (error) {
      const result = staleFor(error, newerOf(asked.stale, copy));
      near.put(key, result.entry);
      return result;
    }
  }

  /** @throws the error, unless the entry may answer in spite of it */
  function staleFor(error: unknown, entry: Cached | undefined): LookupResult {
    const usable = entry && clock.monotonic() < entry.staleUntil;
    if (!usable || !(error instanceof ServiceUnavailableError)) throw error;
    return { entry, outcome: 'STALE' };
  }

  function hit(request: FetchRequest, entry: Cached, trace: Trace): LookupResult {
    trace.fetchId = entry.fetchId;
    if (entry.freshUntil - clock.monotonic() <= refreshAheadMs) refreshInDemand(request, entry);
    return { entry, outcome: 'HIT' };
  }

  function refreshInDemand(request: FetchRequest, entry: Cached): void {
    const requests = (demand.get(entry) ?? 0) + 1;
    // Where there is no place for the refresh, the next request tries again.
    const isBegun = requests >= DEMAND_THRESHOLD && requests < Infinity && queue.refresh(request);
    demand.set(entry, isBegun ? Infinity : requests);
  }

  /** The caller stops waiting at its deadline, or when the process ends; the lookup goes on for others. */
  function inTime<T>(work: Promise<T>, { deadline, signal }: Scope): Promise<T> {
    const limitMs = Math.min(deadline - clock.monotonic(), maxWaitMs);
    const late = () => new ServiceUnavailableError('The request took too long');
    return withTimeLimit({ signal, limitMs, late }, () => work);
  }
}

const busy = () => new ServiceUnavailableError('Too many fetches are waiting');

/** What Redis has can be older than what this process fetched alone. */
function newerOf(entry: Cached | undefined, copy: Cached | undefined): Cached | undefined {
  return entry && copy && copy.fetchedAt > entry.fetchedAt ? copy : (entry ?? copy);
}

/** Whoever joins a lookup that had to fetch was coalesced; hits and stale answers keep their outcome. */
function joined(result: LookupResult): LookupResult {
  return result.outcome === 'MISS' ? { ...result, outcome: 'COALESCED' } : result;
}
