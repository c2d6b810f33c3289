import type { ObjectSchema } from 'joi';
import type { UpstreamName } from '../../config/providers.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import type { ProviderOptions } from '../provider-options.js';
import { explainOpenMeteo } from './open-meteo-errors.js';

interface OpenMeteoCall<T> {
  query: Record<string, string>;
  schema: ObjectSchema<T>;
  signal: AbortSignal;
  /** See `JsonRequest`. */
  small?: boolean;
}

/**
 * Creates a function that calls one path of one of Open-Meteo's services. It throws UpstreamError.
 *
 * The free hosts are for noncommercial use (https://open-meteo.com/en/terms). They allow fewer than 600 calls per minute, 5,000
 * per hour, and 10,000 per day to all services together, so weather and geocoder share one budget. For one IP address, they
 * process one call at a time, queue a few, and reject the others (open-meteo/open-meteo, issues 1248 and 1493). Customers have
 * an API key for hosts with the prefix `customer-`, without a budget (https://open-meteo.com/en/docs,
 * https://open-meteo.com/en/docs/geocoding-api). The free hosts redirect calls with a key, and redirects are rejected.
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
    return client.getJson({ ...call, upstream: name, url, explain: explainOpenMeteo });
  };
}
