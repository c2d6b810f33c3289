import { FetchLimitError, NotOfferedError, ServiceUnavailableError } from './errors.js';
import type { CacheEntry, NearCache } from './cache-entry.js';
import { keyOf, type AnyKind, type Kind } from './kinds/kind.js';
import type { Scope, Trace } from './request-scope.js';
import { createSingleFlight } from './single-flight.js';
import type { Clock } from './types.js';

/** Where a value comes from: the value of the header `X-Cache`. */
export type CacheOutcome = 'HIT' | 'MISS' | 'COALESCED' | 'STALE';

interface LookupResult<Value> {
  entry: CacheEntry<Value>;
  outcome: CacheOutcome;
}

/** What the shared cache has for a key. */
interface Shared<Value> {
  /** Fresh or stale. */
  entry: CacheEntry<Value> | undefined;
  /** Whether a process fetches a value already. Undefined: the caller has not asked. */
  isFetching?: boolean;
  /**
   * Fetches a value once for the waiting requests of all processes (single-flight). The caller
   * joins the requests of its process: it calls this for a key once at a time.
   * @throws ServiceUnavailableError if the fetch failed; the reason when the scope's signal aborts
   */
  fetch: (scope: Scope) => Promise<CacheEntry<Value>>;
}

/** The cache and fetches that all processes share. Does not throw if the store is unavailable. */
export interface SharedCache {
  /** @param asksForFetch whether the caller must know `isFetching` */
  find<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
    asksForFetch?: boolean,
  ): Promise<Shared<Value>>;
  /**
   * Fetches an entry again in the background before its TTL ends (refresh-ahead), if possible.
   * @param freshForMs an entry fresh for longer stays, because another process refreshed it
   */
  refresh<Request>(kind: Kind<Request, unknown>, request: Request, freshForMs: number): void;
}

interface LookupOptions {
  near: NearCache;
  sharedCache: SharedCache;
  /** Whether a fetch can succeed at all. */
  isOffered: (kind: AnyKind, request: unknown) => boolean;
  clock: Clock;
  /** Milliseconds before the end of its TTL in which an entry is refreshed early; 0: never. */
  refreshAheadMs: number;
  /** Fetches that probably end in a second. A lookup that would wait too long fails at once. */
  fetchesPerSecond: number;
  /** Milliseconds that a lookup may wait for its fetch to start, unless its deadline is earlier. */
  maxQueuedMs: number;
  /** Milliseconds for which a lookup waits for its fetch, unless its deadline is earlier. */
  maxWaitMs: number;
}

/**
 * Finds the value of a request in the near cache (without a promise), shared cache, or by a fetch.
 * @throws ServiceUnavailableError if there is no value by the deadline
 */
export type Lookup = <Request, Value>(
  kind: Kind<Request, Value>,
  request: Request,
  scope: Scope,
) => LookupResult<Value> | Promise<LookupResult<Value>>;

/** Part of an entry's TTL in which it may be refreshed early, whatever the configuration says. */
const MAX_AHEAD = 1 / 10;
/** The number of requests near expiry that triggers a refresh. */
const DEMAND_THRESHOLD = 3;
/**
 * Milliseconds after a failed fetch for which its stale entry is served without another fetch.
 * Longer: fresh data is later. Shorter: during an outage, a popular key causes more fetches.
 */
const FETCH_AGAIN_MS = 1000;

type AnyEntry = CacheEntry<unknown>;
type AnyResult = LookupResult<unknown>;

interface Query {
  kind: AnyKind;
  request: unknown;
  key: string;
}

/**
 * Near cache → shared cache → one fetch for all. Concurrent requests for one key share one lookup.
 * The shared cache joins the lookups of several processes.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { near, sharedCache, isOffered, clock, refreshAheadMs } = options;
  const { fetchesPerSecond, maxQueuedMs, maxWaitMs } = options;
  const join = createSingleFlight<AnyResult>({ clock, maxWaitMs });
  /** The number of fetches that this process waits for. */
  let fetching = 0;
  /** The number of requests for an entry near expiry. */
  const demand = new WeakMap<AnyEntry, number>();
  /** When the fetch that was to replace a stale entry failed. */
  const failedAt = new WeakMap<AnyEntry, number>();

  const isFresh = (entry: AnyEntry) => clock.monotonic() < entry.freshUntil;

  function lookup(kind: AnyKind, request: unknown, scope: Scope): AnyResult | Promise<AnyResult> {
    const key = keyOf(kind, request);
    scope.trace.key = key;
    const copy = near.peek(key);
    const query = { kind, request, key };
    if (copy && isFresh(copy)) return hit(query, copy, scope.trace);
    if (copy && clock.monotonic() - (failedAt.get(copy) ?? -Infinity) < FETCH_AGAIN_MS) {
      scope.trace.fetchId = copy.fetchId;
      return { entry: copy, outcome: 'STALE' };
    }
    return wait(query, scope);
  }

  /** Waits, with the concurrent requests for the key, for the shared cache or the fetch. */
  async function wait(query: Query, scope: Scope): Promise<AnyResult> {
    let hasStarted = false as boolean;
    try {
      const { result, hasJoined } = await join(query.key, scope, (shared) => {
        hasStarted = true;
        return load(query, shared);
      });
      return hasJoined && result.outcome === 'MISS' ? { ...result, outcome: 'COALESCED' } : result;
    } catch (error) {
      // The limit of another client: this one may still fetch.
      if (error instanceof FetchLimitError && !hasStarted) return wait(query, scope);
      const entry = near.peek(query.key);
      if (!entry || !(error instanceof ServiceUnavailableError)) throw error;
      return { entry, outcome: 'STALE' };
    }
  }

  async function load(query: Query, scope: Scope): Promise<AnyResult> {
    const { kind, request, key } = query;
    const shared = await sharedCache.find(kind, request, scope.countFetch !== undefined);
    // The near cache keeps a newer entry, which this process may have fetched without Redis.
    if (shared.entry) near.put(key, shared.entry);
    if (shared.entry && isFresh(shared.entry)) return hit(query, shared.entry, scope.trace);
    fetching += 1;
    try {
      if (!isOffered(kind, request)) throw new NotOfferedError();
      assertInTime(scope);
      scope.trace.startsFetch = !shared.isFetching;
      if (!shared.isFetching) await scope.countFetch?.();
      const entry = await shared.fetch({ ...scope, isRefresh: near.peek(key) !== undefined });
      near.put(key, entry);
      scope.trace.fetchId = entry.fetchId;
      return { entry, outcome: 'MISS' };
    } catch (error) {
      const stale = near.peek(key);
      if (stale && !(error instanceof FetchLimitError)) failedAt.set(stale, clock.monotonic());
      throw error;
    } finally {
      fetching -= 1;
    }
  }

  /** @throws ServiceUnavailableError if a fetch that starts now would probably miss the deadline */
  function assertInTime({ deadline }: Scope): void {
    const queuedMs = Math.min(maxQueuedMs, deadline - clock.monotonic());
    if (fetching - 1 < (fetchesPerSecond * queuedMs) / 1000) return;
    throw new ServiceUnavailableError('Too many fetches are waiting');
  }

  function hit(query: Query, entry: AnyEntry, trace: Trace): AnyResult {
    trace.fetchId = entry.fetchId;
    const { freshUntil, noFetchUntil = -Infinity } = entry;
    const now = clock.monotonic();
    const aheadMs = Math.min(refreshAheadMs, (freshUntil - entry.fetchedAt) * MAX_AHEAD);
    if (freshUntil - now <= aheadMs && now >= noFetchUntil) refreshInDemand(query, entry, aheadMs);
    return { entry, outcome: 'HIT' };
  }

  function refreshInDemand({ kind, request }: Query, entry: AnyEntry, aheadMs: number): void {
    const requests = (demand.get(entry) ?? 0) + 1;
    demand.set(entry, requests);
    if (requests === DEMAND_THRESHOLD) sharedCache.refresh(kind, request, aheadMs);
  }

  // A key begins with the name of its kind, so the value of its entry has the kind's type.
  return lookup as Lookup;
}
