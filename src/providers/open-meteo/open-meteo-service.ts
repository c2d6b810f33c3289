import type { ObjectSchema } from 'joi';
import type { UpstreamClient } from '../../upstream/client.js';
import { explainOpenMeteo } from './open-meteo-errors.js';

/**
 * Where one of Open-Meteo's services is, and who asks. The free hosts are for non-commercial use
 * (https://open-meteo.com/en/terms): less than 600 calls a minute, 5,000 an hour and 10,000 a day, of
 * all services together, so forecast and geocoder share one budget. Of one address they run one
 * call at a time, let a few wait, and refuse the rest (open-meteo/open-meteo, issues 1248 and 1493).
 * Customers have their own hosts, and no budget here.
 */
export interface OpenMeteoService {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  /**
   * A customer's key, for the hosts with the prefix `customer-`
   * (https://open-meteo.com/en/docs, https://open-meteo.com/en/docs/geocoding-api). The free hosts
   * answer a key with a redirect, and no redirect is followed.
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
 * Calls of one path of one service.
 * @param name the name of the upstream service: for its circuit breaker, errors, and log records
 * @returns a function that gives the answer's body, or throws UpstreamError
 */
export function openMeteoCaller(
  { client, baseUrl, apiKey }: OpenMeteoService,
  name: string,
  path: string,
): <T>(call: OpenMeteoCall<T>) => Promise<T> {
  const key = apiKey === undefined ? {} : { apikey: apiKey };
  return async ({ query, ...call }) => {
    const url = new URL(path, baseUrl);
    url.search = new URLSearchParams({ ...query, ...key }).toString();
    const request = { ...call, upstream: name, url, explain: explainOpenMeteo };
    return (await client.getJson(request)).body;
  };
}
