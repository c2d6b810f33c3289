/** Sends requests to the service, and turns every failure into a `RequestFailure`. */
import type { paths } from 'api-types';
import { language } from './language.js';
import { requestOf, type City, type Query } from './queries.js';

/** The body of a successful response. The type is generated from the API description. */
type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Json } } } };
}
  ? Json
  : never;

export type ConditionsBody = Body<'/api/v1/conditions'>;
export type HoursBody = Body<'/api/v1/forecast/hourly'>;
export type Hour = HoursBody['hours'][number];
export type DaysBody = Body<'/api/v1/forecast'>;
export type Day = DaysBody['days'][number];
export type AirBody = Body<'/api/v1/air-quality'>;
export type PollenBody = Body<'/api/v1/pollen'>;
export type RecentSearchesBody = Body<'/api/v1/recent-searches'>;

/** A response with its headers, which say where the data is from. */
export interface ApiResponse<Json> {
  body: Json;
  headers: Headers;
  /** Milliseconds since the epoch, by the clock of the browser. */
  fetchedAt: number;
}

/** A place that a text may mean. */
export interface SuggestedPlace {
  query: City;
  name: string;
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
}

/** Milliseconds after which a request fails. The service ends a request after two minutes. */
const TIME_LIMIT_MS = 60_000;
/** The number of suggestions that a phone shows without scrolling. */
const SUGGESTIONS = 6;

/** A failed request. The message is that of the response, for the user. */
export class RequestFailure extends Error {
  /** @param status 0 if the service did not respond */
  constructor(
    readonly status: number,
    message = '',
    readonly headers = new Headers(),
  ) {
    super(message);
  }
}

/** @param path relative to the page @throws RequestFailure, or the reason of the signal's abort */
export async function fetchJson<Json>(
  path: string,
  signal: AbortSignal,
  options: RequestInit = {},
): Promise<ApiResponse<Json>> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(reject, TIME_LIMIT_MS);
  });
  const request = async () => {
    const response = await fetch(path, { ...options, signal });
    return { response, body: (await response.json()) as unknown };
  };
  const { response, body } = await Promise.race([request(), late]).catch(() => {
    signal.throwIfAborted();
    // There is no connection, or a proxy or a hotspot responded without JSON.
    throw new RequestFailure(0);
  });
  const { ok, status, headers } = response;
  const fetchedAt = Date.now() - Number(headers.get('Age')) * 1000;
  if (ok && body) return { body: body as Json, headers, fetchedAt };
  // A proxy may send any JSON.
  const { message = '' } = Object(body) as { message?: unknown };
  throw new RequestFailure([200, 502, 504].includes(status) ? 0 : status, String(message), headers);
}

/**
 * Loads a part of the weather, described in the language of the browser, if the service has it.
 * @param count another query parameter: `&days=14`
 */
export function fetchWeather<Json>(
  endpoint: string,
  query: Query,
  signal: AbortSignal,
  count = '',
  options: RequestInit = {},
): Promise<ApiResponse<Json>> {
  // The pollen has no descriptions, so its URL is the same in each language.
  const lang = endpoint === 'pollen' ? '' : `&lang=${language}`;
  const request = `${requestOf(query)}${lang}${count}`;
  return fetchJson(`api/v1/${endpoint}${request}`, signal, options);
}

/** Returns the places that a text may mean, the most likely first. */
export async function fetchPlaces(text: string, signal: AbortSignal): Promise<SuggestedPlace[]> {
  // The service accepts no &: Bosnia & Herzegovina.
  const q = text.replace(/ *& */g, ' and ');
  const query = new URLSearchParams({ q, limit: String(SUGGESTIONS) });
  const path = `api/v1/places?${query.toString()}`;
  const { body } = await fetchJson<Body<'/api/v1/places'>>(path, signal);
  return body.places.map(({ city, country, country_code: countryCode, region }) => ({
    query: { city, country },
    // The service adds the region to ambiguous names: "Springfield, Illinois".
    name: region && city.endsWith(`, ${region}`) ? city.slice(0, -region.length - 2) : city,
    region,
    countryCode,
  }));
}

/** Returns a function that aborts the request before, and returns a signal for the next one. */
export function createLatest(): () => AbortSignal {
  let controller = new AbortController();
  return () => {
    controller.abort();
    controller = new AbortController();
    return controller.signal;
  };
}
