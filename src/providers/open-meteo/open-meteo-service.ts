import type { UpstreamName } from '../../config/providers.js';
import type { Explain, StatusMeaning } from '../../upstream/failures.js';
import type { JsonRequest, JsonResponse } from '../../upstream/upstream-client.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../weather/time/durations.js';
import type { ProviderOptions } from '../provider-options.js';

type OpenMeteoCall<T> = Pick<JsonRequest<T>, 'schema' | 'signal' | 'uncompressed'> & {
  query: Record<string, string>;
};

/**
 * Creates a function that calls one path of one of Open-Meteo's services. It throws UpstreamError.
 *
 * Free hosts are for non-commercial use (https://open-meteo.com/en/terms). They allow fewer than
 * 600 calls per minute, 5,000 per hour, and 10,000 per day to all services together, so weather and
 * geocoder share one budget. For one IP address, they process one call at a time, queue a few, and
 * reject the others (open-meteo/open-meteo, issues 1248 and 1493). Customers have an API key for
 * hosts with the prefix `customer-`, without a budget (https://open-meteo.com/en/docs,
 * https://open-meteo.com/en/docs/geocoding-api). Free hosts redirect a call with a key: it fails.
 */
export function openMeteoCaller(
  { client, config: { urls, apiKeys } }: Pick<ProviderOptions, 'client' | 'config'>,
  name: UpstreamName,
  path: string,
): <T>(call: OpenMeteoCall<T>) => Promise<JsonResponse<T>> {
  const apikey = apiKeys['open-meteo'];
  return ({ query, ...call }) => {
    const url = new URL(path, urls[name]);
    url.search = new URLSearchParams({ ...query, ...(apikey && { apikey }) }).toString();
    return client.getJson({ ...call, upstream: name, url, explain });
  };
}

/** Milliseconds to wait until the other calls of the IP address end, which takes some seconds. */
const CONCURRENT_MS = 3_000;
/**
 * Milliseconds after the start of a window in which a 429 can refer to the previous window: the
 * service resets its counters once a minute.
 */
const SWEEP_MS = 90_000;

/**
 * Reads an error response. A 429 has no `Retry-After`, and names the quota window in its text
 * (open-meteo/open-meteo, RateLimiter.swift). Counters reset each minute, hour, and at 00:00 UTC.
 */
const explain: Explain = ({ status, body, at }) => {
  if (status === 429) return quota(body, at);
  if ((status === 400 || status === 401) && /api key/i.test(body)) {
    return { kind: 'unavailable', message: 'the key is missing or not valid' };
  }
  if (status === 400 && /no data is available/i.test(body)) {
    return { kind: 'not_covered', message: 'no data is available for the point' };
  }
  return undefined;
};

function quota(body: string, at: number): StatusMeaning | undefined {
  const usedUp = (message: string, retryAfterMs: number): StatusMeaning => ({
    kind: 'quota',
    message,
    retryAfterMs,
  });
  if (/concurrent/i.test(body)) return usedUp('too many concurrent requests', CONCURRENT_MS);
  if (/minutely/i.test(body)) return usedUp('quota of the minute used up', MINUTE_MS);
  if (/hourly/i.test(body)) return usedUp('quota of the hour used up', untilNext(HOUR_MS, at));
  if (/daily/i.test(body)) return usedUp('quota of the day used up', untilNext(DAY_MS, at));
  return undefined;
}

/** Milliseconds until the window ends; a minute just after its start: the last window is meant. */
function untilNext(windowMs: number, at: number): number {
  const elapsed = at % windowMs;
  return elapsed < SWEEP_MS ? MINUTE_MS : windowMs - elapsed;
}
