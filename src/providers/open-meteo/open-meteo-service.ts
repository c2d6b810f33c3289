import type { ObjectSchema } from 'joi';
import type { JsonResponse, UpstreamClient } from '../../upstream/upstream-client.js';
import { explainOpenMeteo } from './open-meteo-errors.js';

/**
 * One of Open-Meteo's services, and the API key for it. The free hosts are for noncommercial use
 * (https://open-meteo.com/en/terms). They allow fewer than 600 calls per minute, 5,000 per hour, and 10,000 per day to all
 * services together, so weather and geocoder share one budget. For one IP address, they process one call at a time, queue
 * a few, and reject the others (open-meteo/open-meteo, issues 1248 and 1493). Customers have other hosts, without a budget.
 */
export interface OpenMeteoService {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  /**
   * The API key of a customer, for the hosts with the prefix `customer-` (https://open-meteo.com/en/docs,
   * https://open-meteo.com/en/docs/geocoding-api). The free hosts redirect calls with a key, and redirects are rejected.
   */
  apiKey?: string | undefined;
}

export interface OpenMeteoCall<T> {
  query: Record<string, string>;
  schema: ObjectSchema<T>;
  signal: AbortSignal;
  /** See `JsonRequest`. */
  small?: boolean;
}

/**
 * Creates a function that calls one path of a service. It throws UpstreamError.
 * @param name the name of the upstream service, for its circuit breaker, errors, and log records
 */
export function openMeteoCaller(
  { client, baseUrl, apiKey }: OpenMeteoService,
  name: string,
  path: string,
): <T>(call: OpenMeteoCall<T>) => Promise<JsonResponse<T>> {
  const key = apiKey === undefined ? {} : { apikey: apiKey };
  return ({ query, ...call }) => {
    const url = new URL(path, baseUrl);
    url.search = new URLSearchParams({ ...query, ...key }).toString();
    return client.getJson({ ...call, upstream: name, url, explain: explainOpenMeteo });
  };
}
