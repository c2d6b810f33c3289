import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import { cachedNow, type Cached, type Life } from './cache.js';
import { requestKey, type Fetched, type FetchRequest } from './request.js';
import { withTimeLimit } from './time-limit.js';
import type { Clock, FetchFields, Geocoder, Point, ProvidedWeather } from './types.js';

/** Weather from the first provider of the chain that gives it. */
export interface ProviderChain {
  /**
   * @param about for the records of the calls
   * @throws ServiceUnavailableError when every provider failed
   */
  current(point: Point, signal: AbortSignal, about: FetchFields): Promise<ProvidedWeather>;
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
  /** The trace of the request that began it. */
  traceId: string | undefined;
  /** Why it was not agreed with the other processes, which may fetch the same. */
  uncoordinated?: string | undefined;
}

/**
 * Fetches from upstream once, and gives an entry for the caches. Writes one `fetch` record.
 * @throws ServiceUnavailableError when no upstream answered, or not in time
 * @throws the signal's reason when it aborts
 */
export type Fetcher = (
  request: FetchRequest,
  identity: FetchIdentity,
  signal: AbortSignal,
) => Promise<Cached>;

export function createFetcher(options: FetcherOptions): Fetcher {
  const { providers, geocoder, lives, timeoutMs, clock, log } = options;

  async function fetchValue(
    request: FetchRequest,
    signal: AbortSignal,
    about: FetchFields,
  ): Promise<{ value: Fetched; ageMs: number }> {
    if (request.kind === 'weather') {
      const { ageMs, ...provided } = await providers.current(request.point, signal, about);
      return { value: { kind: 'weather', ...provided }, ageMs };
    }
    const point = await geocoder.search(request.city, request.countryCode, signal, about);
    return {
      value: { kind: 'geocode', point: point ?? null, provider: geocoder.name },
      ageMs: 0,
    };
  }

  return async (request, { fetchId, traceId, uncoordinated }, signal) => {
    const about = { key: requestKey(request), fetch_id: fetchId, trace_id: traceId };
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
        (limited) => fetchValue(request, limited, about),
      );
      log.info(record({ provider: value.provider, outcome: 'ok' }));
      return cachedNow(value, lifeOf(value, lives), clock.monotonic(), fetchId, ageMs);
    } catch (error) {
      const failed = asUnavailable(error);
      log.warn(record({ outcome: 'failed', err: failed }));
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
