import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from './errors.js';
import { withTimeLimit } from '../base/time-limit.js';
import { cachedNow, type CacheEntry, type AttributedValue, type Ttl } from './cache-entry.js';
import { keyOf, type AnyKind, type Kind, type Kinds, type ValueKind } from './kinds/kind.js';
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
}

/** Checks that a kind and its functions have the same types. */
export const register = <Request, Value>(
  registration: Registration<Request, Value>,
): Registration => registration;

/** The fields that identify a fetch in each of its log records. */
export interface FetchIdentity {
  fetchId: string;
  /** The trace ID of the request that started it. */
  traceId: string | undefined;
  /** Why the fetch is not shared with the other processes, which may fetch the same key. */
  uncoordinated?: string | undefined;
}

/**
 * Fetches from upstream once, and returns an entry for the caches. Writes one `fetch` record. A call for a key whose fetch
 * is in flight in this process joins that fetch.
 * @throws ServiceUnavailableError if no upstream supplied a value in time
 * @throws the signal's reason when it aborts
 */
export type Fetcher = <Request, Value>(
  kind: Kind<Request, Value>,
  request: Request,
  identity: FetchIdentity,
  signal: AbortSignal,
) => Promise<CacheEntry<Value>>;

interface FetcherOptions {
  registrations: Registration[];
  /** Time limit of one fetch in milliseconds, including its wait for the concurrency limit. */
  timeoutMs: number;
  clock: Clock;
  log: Logger;
}

/**
 * Fetches values of the registered kinds.
 * @returns `fetcher` throws an Error for a kind that is not registered; `kinds` resolves the name of a kind
 */
export function createFetcher(options: FetcherOptions): { fetcher: Fetcher; kinds: Kinds } {
  const { registrations, timeoutMs, clock, log } = options;
  const sources = new Map(registrations.map((each) => [each.kind.name, each]));
  const byName = new Map(registrations.map(({ kind }) => [kind.name, kind]));

  function sourceOf(name: string): Registration {
    const source = sources.get(name);
    if (!source) throw new Error(`The kind '${name}' is not registered`);
    return source;
  }
  const kinds = Object.assign(byName, {
    ttlOf: ({ name }: ValueKind<unknown>, value: unknown, referenceTime: number | undefined) =>
      sourceOf(name).ttlOf(value, referenceTime),
  });

  async function start(
    kind: AnyKind,
    request: unknown,
    { fetchId, traceId, uncoordinated }: FetchIdentity,
    signal: AbortSignal,
  ): Promise<CacheEntry<unknown>> {
    const source = sourceOf(kind.name);
    const logFields = { key: keyOf(kind, request), fetch_id: fetchId, trace_id: traceId };
    const started = clock.monotonic();
    const recordOf = (fields: object) => ({
      event: 'fetch',
      ...logFields,
      ...fields,
      uncoordinated,
      duration_ms: Math.round(clock.monotonic() - started),
    });
    try {
      const supplied = await withTimeLimit({ signal, limitMs: timeoutMs, late }, (limited) =>
        source.fetch(request, { signal: limited, logFields }),
      );
      log.info(recordOf({ provider: supplied.provider, outcome: 'ok' }));
      const ttl = source.ttlOf(supplied.value, supplied.referenceTime);
      return cachedNow(supplied, ttl, clock.monotonic(), fetchId);
    } catch (error) {
      const failed = asUnavailable(error);
      if (signal.aborted) log.info(recordOf({ outcome: 'aborted' }));
      else log.warn(recordOf({ outcome: 'failed', err: failed }));
      throw failed;
    }
  }

  // Jobs, refreshes, and fetches without Redis bypass the single-flight of the lookup, so fetches of one key are joined here.
  const inFlight = new Map<string, Promise<CacheEntry<unknown>>>();
  function fetcher(...call: Parameters<typeof start>): Promise<CacheEntry<unknown>> {
    const [kind, request] = call;
    const key = keyOf(kind, request);
    const result = inFlight.get(key) ?? start(...call).finally(() => inFlight.delete(key));
    inFlight.set(key, result);
    return result;
  }
  // A key begins with the name of its kind, so the value has the type of the kind.
  return { fetcher: fetcher as Fetcher, kinds };
}

const late = () => new ServiceUnavailableError('The fetch took too long');

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  return new ServiceUnavailableError('The upstream service did not answer', {
    cause: error,
    retryAfterMs: error.retryAfterMs,
  });
}
