import { ServiceUnavailableError } from '../errors.js';
import type { Cached, NearCache } from './cache.js';
import type { Admitted, FetchAdmission } from './fetch-admission.js';
import type { FetchQueue } from './queue.js';
import { requestKey, type FetchRequest } from './request.js';
import type { Scope, Trace } from './scope.js';
import { withTimeLimit } from './time-limit.js';
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
  admission: FetchAdmission;
  clock: Clock;
  /** In the last so many milliseconds of its fresh life an entry in demand is refreshed; 0: never. */
  refreshAheadMs: number;
}

/** @throws ServiceUnavailableError when nothing could answer, or not by the deadline */
export type Lookup = (request: FetchRequest, scope: Scope) => Promise<LookupResult>;

/** The request for an entry that soon expires which has it refreshed. */
const DEMAND_THRESHOLD = 3;

/** A lookup that several requests of this process share. */
interface SharedLookup {
  result: Promise<LookupResult>;
  /** The latest deadline of those who wait. */
  deadline: number;
  /** Of the request that began it; names the fetch as soon as that is known. */
  trace: Trace;
  /** What is left of the time that the request which began it may wait for the shared store. */
  storeMs: number;
}

/**
 * Near copy → shared entry → one fetch for all. Concurrent requests of this process for one key
 * share one lookup; those of other processes meet in the queue.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { near, queue, admission, clock, refreshAheadMs } = options;
  const shared = new Map<string, SharedLookup>();
  /** Requests for an entry in its last seconds; Infinity once its refresh has begun. */
  const demand = new WeakMap<Cached, number>();

  return async (request, scope) => {
    const key = requestKey(request);
    scope.trace.key = key;
    const copy = near.peek(key);
    if (copy && clock.monotonic() < copy.freshUntil) return hit(request, copy, scope.trace);
    const others = shared.get(key);
    const lookup = others ?? begin(request, key, copy, scope);
    lookup.deadline = Math.max(lookup.deadline, scope.deadline);
    const result = others ? lookup.result.then(joined) : lookup.result;
    try {
      return await byDeadline(result, scope.deadline);
    } catch (error) {
      return staleFor(error, copy);
    } finally {
      scope.trace.fetchId = lookup.trace.fetchId;
      // Whoever shared the lookup has waited as long for the store.
      scope.storeMs = Math.min(scope.storeMs, lookup.storeMs);
    }
  };

  function begin(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    { deadline, storeMs, trace: { traceId } }: Scope,
  ): SharedLookup {
    const lookup: SharedLookup = {
      deadline,
      storeMs,
      trace: { traceId },
      result: Promise.resolve()
        .then(() =>
          admission.run(
            () => lookup.deadline,
            (admitted) => lookUp(request, key, copy, lookup, admitted),
          ),
        )
        .finally(() => shared.delete(key)),
    };
    shared.set(key, lookup);
    return lookup;
  }

  async function lookUp(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    lookup: SharedLookup,
    { signal, mayFetch, fetches }: Admitted,
  ): Promise<LookupResult> {
    const { trace } = lookup;
    const scope: Scope = Object.assign(lookup, { signal });
    const asked = await queue.ask(request, scope, mayFetch);
    if (asked.kind === 'entry') {
      near.put(key, asked.entry);
      return hit(request, asked.entry, trace);
    }
    try {
      if (asked.kind === 'none') throw asked.failure ?? admission.busy();
      fetches();
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

  /** The caller stops waiting at its deadline; the lookup goes on for the others. */
  function byDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
    const limitMs = deadline - clock.monotonic();
    const late = () => new ServiceUnavailableError('The request took too long');
    return withTimeLimit({ limitMs, late }, () => work);
  }
}

/** What Redis has can be older than what this process fetched alone. */
function newerOf(entry: Cached | undefined, copy: Cached | undefined): Cached | undefined {
  return entry && copy && copy.fetchedAt > entry.fetchedAt ? copy : (entry ?? copy);
}

/** Whoever joins a lookup that had to fetch was coalesced; hits and stale answers keep their outcome. */
function joined(result: LookupResult): LookupResult {
  return result.outcome === 'MISS' ? { ...result, outcome: 'COALESCED' } : result;
}
