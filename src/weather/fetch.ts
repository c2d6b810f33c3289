import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import { cachedNow, type Cached, type Life } from './cache.js';
import type { StoreTime } from './scope.js';
import { requestKey, type Fetched, type FetchRequest } from './request.js';
import { withTimeLimit } from '../time-limit.js';
import { traceIdOf, type TraceParent } from './trace.js';
import type { Clock, FetchCall, Geocoder, Point, ProvidedWeather } from './types.js';

/** Weather from the first provider of the chain that gives it. */
export interface ProviderChain {
  /**
   * @throws ServiceUnavailableError when every provider failed or is not to be asked now; its message
   *   names the failure of each
   * @throws the signal's reason when it aborts
   */
  current(point: Point, call: FetchCall): Promise<ProvidedWeather>;
}

/**
 * The position of a name does not change. Doubled: half as many calls to the geocoder, and a position
 * that it corrects is used a day later.
 */
const GEOCODE_LIFE: Life = { freshMs: 86_400_000, staleMs: 0 };

export interface FetcherOptions {
  providers: ProviderChain;
  geocoder: Geocoder;
  lives: { weather: Life; noSuchPlace: Life };
  /** How long one fetch may take, the wait for the concurrency limit included, in milliseconds. */
  timeoutMs: number;
  clock: Clock;
  log: Logger;
}

/** What names a fetch in every record about it. */
export interface FetchIdentity {
  fetchId: string;
  /** Where it stands in the trace of the request that began it. */
  parent: TraceParent | undefined;
  /** Why it was not agreed with the other processes, which may fetch the same. */
  uncoordinated?: string | undefined;
}

/**
 * Fetches from upstream once, and gives an entry for the caches. Writes one `fetch` record.
 * @param time what its waits for the shared store take from
 * @throws ServiceUnavailableError when no upstream answered, or not in time
 * @throws the signal's reason when it aborts
 */
export type Fetcher = (
  request: FetchRequest,
  identity: FetchIdentity,
  signal: AbortSignal,
  time: StoreTime,
) => Promise<Cached>;

export function createFetcher(options: FetcherOptions): Fetcher {
  const { providers, geocoder, lives, timeoutMs, clock, log } = options;

  async function fetchValue(
    request: FetchRequest,
    call: FetchCall,
  ): Promise<{ value: Fetched; ageMs: number }> {
    if (request.kind === 'weather') {
      const { point, isKnown: reserve } = request;
      const { ageMs, ...provided } = await providers.current(point, { ...call, reserve });
      return { value: { kind: 'weather', ...provided }, ageMs };
    }
    const point = await geocoder.search(request.city, request.countryCode, call);
    return {
      value: { kind: 'geocode', point: point ?? null, provider: geocoder.name },
      ageMs: 0,
    };
  }

  return async (request, { fetchId, parent, uncoordinated }, signal, time) => {
    const about = { key: requestKey(request), fetch_id: fetchId, trace_id: traceIdOf(parent) };
    const started = clock.monotonic();
    const record = (fields: object) => ({
      event: 'fetch',
      ...about,
      ...fields,
      uncoordinated,
      duration_ms: Math.round(clock.monotonic() - started),
    });
    try {
      const { value, ageMs } = await withTimeLimit(
        { signal, limitMs: timeoutMs, late },
        (limited) => fetchValue(request, { signal: limited, about, time }),
      );
      log.info(record({ provider: value.provider, outcome: 'ok' }));
      return cachedNow(value, lifeOf(value, lives), clock.monotonic(), fetchId, ageMs);
    } catch (error) {
      const failed = asUnavailable(error);
      if (signal.aborted) log.info(record({ outcome: 'given_up' }));
      else log.warn(record({ outcome: 'failed', err: failed }));
      throw failed;
    }
  };
}

const late = () => new ServiceUnavailableError('The fetch took too long');

function lifeOf(value: Fetched, lives: FetcherOptions['lives']): Life {
  if (value.kind === 'weather') return lives.weather;
  return value.point ? GEOCODE_LIFE : lives.noSuchPlace;
}

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  return new ServiceUnavailableError('The upstream service did not answer', {
    cause: error,
    retryAfterMs: error.retryAfterMs,
  });
}
