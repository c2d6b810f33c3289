/** The domain's values and the ports that it needs. No framework, no store, no provider here. */

import type { StoreTime } from './scope.js';

/** Decimal degrees, WGS 84. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** Current weather as every provider adapter must give it, in the units of the public contract. */
export interface Weather {
  /** Degrees Celsius, at most one decimal. */
  temperature: number;
  /** Text of the WMO weather code. */
  condition: string;
  /** Relative humidity, an integer percentage. */
  humidity: number;
  /** Kilometres per hour, at most one decimal. */
  wind_speed: number;
  /** Whether the sun is up, where the provider says it. */
  is_day?: boolean;
}

/** A resolved place: its names as a person would write them in English, and where it is. */
export interface Place extends Point {
  city: string;
  country: string;
}

/** The time, as a value that tests can set. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the machine's clock is corrected. */
  now(): number;
  /** Milliseconds that only ever grow; for ages and deadlines. */
  monotonic(): number;
}

/** An answer that a provider allows, or demands, to be used again. */
export interface KeptWeather {
  weather: Weather;
  /** Milliseconds since the provider confirmed it. */
  ageMs: number;
}

/** Weather, and the provider that it came from. */
export interface ProvidedWeather extends KeptWeather {
  provider: string;
}

/** Fields that the records about one fetch share: one query finds them all. */
export interface FetchFields {
  key: string;
  fetch_id: string;
  /** The trace of the request that began the fetch, where there is one. */
  trace_id: string | undefined;
}

/** What bounds the calls of one fetch to upstream services, and names them in their records. */
export interface FetchCall {
  /** When it aborts, the caller has given up: that says nothing about an upstream. */
  signal: AbortSignal;
  about?: FetchFields | undefined;
  /** What the waits for the shared store take from. */
  time?: StoreTime | undefined;
  /** Whether the calls may use what budgets keep for known places. */
  reserve?: boolean | undefined;
}

/** One weather service. An adapter is one folder in `providers/`. */
export interface WeatherProvider {
  readonly name: string;
  /** Whether it may know weather at a point; absent: everywhere. Elsewhere it is passed over. */
  covers?(point: Point): boolean;
  /**
   * An earlier answer that still holds for a point, for providers that must not be asked again.
   * @param time what its waits for the shared store take from
   */
  kept?(point: Point, time?: StoreTime): Promise<KeptWeather | undefined>;
  /**
   * Current weather at a point, from a call.
   * @throws UpstreamError when the provider gives no usable answer
   */
  current(point: Point, signal: AbortSignal, time?: StoreTime): Promise<Weather>;
}

/** What is known of a name without asking anyone. */
export type CityMatch =
  | { kind: 'found'; place: Place }
  /** The country is none that exists; nothing can be found in it. */
  | { kind: 'unknown_country' }
  /**
   * The country exists, the city is not in the data. `countryCode` is ISO 3166-1 alpha-2; `key` is
   * the same for every spelling of the pair; `suggestions` are up to three near names.
   */
  | { kind: 'unknown_city'; countryCode: string; key: string; suggestions: string[] };

/** A place whose name begins with what somebody has typed. */
export interface Suggestion extends Place {
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** The state or province, in English; undefined where the data has none. */
  region: string | undefined;
}

/** Places by name and by point, in this process. Synchronous: nothing here waits. */
export interface Gazetteer {
  /** @param city cleaned text (trimmed, NFC) @param country cleaned text: a name, alias or ISO code */
  findCity(city: string, country: string): CityMatch;
  /** The most fitting city of the country that the point lies in, or undefined far from any. */
  nearest(point: Point): Place | undefined;
  /**
   * Places of which a name begins with the text, likeliest first. City and country of each find that
   * very place: where the name alone would not, the city carries its region ("Springfield, Illinois").
   *
   * @param text cleaned text @param limit most places to give
   * @param country cleaned text, as above; without it, places of all countries are given
   * @returns undefined when no country is called so
   */
  suggest(text: string, limit: number, country?: string): Suggestion[] | undefined;
}

/** The remote fallback for names that the gazetteer lacks. */
export interface Geocoder {
  readonly name: string;
  /**
   * @param countryCode ISO 3166-1 alpha-2, upper case
   * @returns the most populous exact match in that country, or undefined when there is none
   * @throws UpstreamError when the service gives no usable answer
   */
  search(city: string, countryCode: string, call: FetchCall): Promise<Point | undefined>;
}
