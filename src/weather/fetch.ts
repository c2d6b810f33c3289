import type { Logger } from 'pino';
import type { CircuitBreaker } from '../base/circuit-breaker.js';
import { ServiceUnavailableError, UpstreamError } from './errors.js';
import { cachedSince, type CacheEntry, type AttributedValue, type Ttl } from './cache-entry.js';
import { keyOf, type AnyKind, type Kind } from './kinds/kind.js';
import type { Scope } from './request-scope.js';
import { createSingleFlight } from './single-flight.js';
import type { Clock, UpstreamCall } from './types.js';

export interface Registration<Request = unknown, Value = unknown> {
  kind: Kind<Request, Value>;
  /**
   * Calls upstream services.
   * @throws UpstreamError or ServiceUnavailableError if no upstream supplied a value
   */
  fetch(request: Request, call: UpstreamCall): Promise<AttributedValue<Value>>;
  /** @param referenceTime see `UpstreamValue` */
  ttlOf(value: Value, referenceTime: number | undefined): Ttl;
  /** The circuit breakers of the upstream services that supply it everywhere. */
  breakers?: readonly Breaker[];
  /** Whether an upstream service may have the value of a request. Absent: always. */
  isOffered?(request: Request): boolean;
}

type Breaker = Pick<CircuitBreaker, 'lastSucceeded' | 'rejectsForMs'>;

/**
 * Whether this process reaches upstream services, by their circuit breakers.
 * - `good`: the last call to one of them succeeded, or was never made
 * - `doubtful`: the last call to each of them failed, and another one may be made
 * - `none`: calls to all of them are rejected
 */
export type Availability = 'good' | 'doubtful' | 'none';

function availabilityOf(breakers: readonly Breaker[]): Availability {
  if (breakers.length === 0 || breakers.some(({ lastSucceeded }) => lastSucceeded)) return 'good';
  return breakers.some((breaker) => breaker.rejectsForMs() === 0) ? 'doubtful' : 'none';
}

/** The registered kinds by name, each with the functions that supply its values. */
export type Kinds = ReadonlyMap<string, Registration>;

export interface Fetching {
  fetcher: Fetcher;
  kinds: Kinds;
  /** Availability of the upstream services of a kind; without a kind, of the weather providers. */
  availability: (kind?: AnyKind) => Availability;
  /** Whether an upstream service may have the value of a request. */
  isOffered: (kind: AnyKind, request: unknown) => boolean;
}

/** Checks that a kind and its functions have the same types. */
export const register = <Request, Value>(
  registration: Registration<Request, Value>,
): Registration => registration;

/**
 * Fetches from upstream, returns an entry for the caches, and writes one `fetch` record. Concurrent
 * calls for one key share one fetch, which ends when none of them waits any more.
 * @param scope its trace may contain the ID of the fetch, and names the fetch that was joined
 * @param uncoordinated why another process may fetch the same key
 * @throws ServiceUnavailableError if no upstream supplied a value in time
 * @throws the reason of the scope's signal when it aborts
 */
export type Fetcher = <Request, Value>(
  kind: Kind<Request, Value>,
  request: Request,
  scope: Scope,
  uncoordinated?: string,
) => Promise<CacheEntry<Value>>;

interface FetcherOptions {
  registrations: Registration[];
  /** The circuit breakers of the weather providers that supply data everywhere. */
  providers?: readonly Breaker[];
  /** Milliseconds for which a caller waits for a fetch, including the concurrency limit. */
  timeoutMs: number;
  clock: Clock;
  log: Logger;
}

/**
 * Fetches values of the registered kinds.
 * @returns `fetcher` throws an Error for a kind that is not registered
 */
export function createFetcher(options: FetcherOptions): Fetching {
  const { registrations, providers = [], timeoutMs, clock, log } = options;
  const kinds: Kinds = new Map(registrations.map((each) => [each.kind.name, each]));

  function sourceOf({ name }: AnyKind): Registration {
    const source = kinds.get(name);
    if (!source) throw new Error(`The kind '${name}' is not registered`);
    return source;
  }

  async function start(
    kind: AnyKind,
    request: unknown,
    { signal, trace, isRefresh }: Scope,
    uncoordinated: string | undefined,
  ): Promise<CacheEntry<unknown>> {
    const source = sourceOf(kind);
    const fetchId = (trace.fetchId ??= crypto.randomUUID());
    const logFields = {
      key: keyOf(kind, request),
      fetch_id: fetchId,
      trace_id: trace.traceId,
    };
    const started = clock.monotonic();
    let sentAt = started;
    const sent = () => (sentAt = clock.monotonic());
    const recordOf = (fields: object) => ({
      event: 'fetch',
      ...logFields,
      ...fields,
      uncoordinated,
      duration_ms: Math.round(clock.monotonic() - started),
    });
    try {
      const supplied = await source.fetch(request, { signal, logFields, sent, isRefresh });
      log.info(recordOf({ provider: supplied.provider, outcome: 'ok' }));
      const ttl = source.ttlOf(supplied.value, supplied.referenceTime);
      return cachedSince(supplied, ttl, supplied.sentAt ?? sentAt, fetchId);
    } catch (error) {
      const failed = asUnavailable(error);
      if (signal.aborted) log.info(recordOf({ outcome: 'aborted' }));
      else log.warn(recordOf({ outcome: 'failed', err: failed }));
      throw failed;
    }
  }

  const join = createSingleFlight<CacheEntry<unknown>>({ clock, maxWaitMs: timeoutMs });
  async function fetcher(kind: AnyKind, request: unknown, scope: Scope, uncoordinated?: string) {
    const { fetchId } = scope.trace;
    const { result } = await join(keyOf(kind, request), scope, (shared) => {
      shared.trace.fetchId = fetchId;
      return start(kind, request, shared, uncoordinated);
    });
    return result;
  }
  // A key begins with the name of its kind, so the value has the type of the kind.
  return {
    fetcher: fetcher as Fetcher,
    kinds,
    availability: (kind) => availabilityOf(kind ? (sourceOf(kind).breakers ?? []) : providers),
    isOffered: (kind, request) => sourceOf(kind).isOffered?.(request) ?? true,
  };
}

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  return new ServiceUnavailableError('The upstream service did not respond', {
    cause: error,
    retryAfterMs: error.retryAfterMs,
  });
}
