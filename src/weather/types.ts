/** The values of the domain, and the ports that it needs. */

/** Decimal degrees, WGS 84. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** The current weather, in the units of the public contract. Every provider adapter must return it. */
export interface Weather {
  /** Degrees Celsius, at most one decimal. */
  temperature: number;
  /** Text of the WMO weather code. */
  condition: string;
  /** Relative humidity, an integer percentage. */
  humidity: number;
  /** Kilometers per hour, at most one decimal. */
  wind_speed: number;
  /** Whether the sun is up. Absent if the provider does not report it. */
  is_day?: boolean;
}

/** A place: its English names and its position. */
export interface Place extends Point {
  city: string;
  country: string;
}

/** The time, as a value that tests can set. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the machine's clock is corrected. */
  now(): number;
  /** Milliseconds of a clock that never steps back; for ages and deadlines. */
  monotonic(): number;
}

/** What an upstream service supplies. */
export interface Supplied<Value> {
  value: Value;
  /** Milliseconds for which the service forbids another call for the same value. Absent: it forbids none. */
  freshForMs?: number | undefined;
}

/** Fields that the log records about one fetch share. */
export interface FetchFields {
  key: string;
  fetch_id: string;
  /** The trace ID of the request that started the fetch, if the client sent one. */
  trace_id: string | undefined;
}

/** The signal and the log fields of the calls of one fetch to upstream services. */
export interface FetchCall {
  /** Aborts when no request waits for the fetch any more. That is not a failure of an upstream service. */
  signal: AbortSignal;
  about?: FetchFields | undefined;
}

/** The result of a search in the gazetteer. */
export type CityMatch =
  | { kind: 'found'; place: Place }
  /** There is no such country. */
  | { kind: 'unknown_country' }
  /**
   * The country exists, but the gazetteer does not contain the city. `countryCode` is ISO 3166-1 alpha-2; `key` is the
   * same for every spelling of the pair; `suggestions` are up to three similar names.
   */
  | { kind: 'unknown_city'; countryCode: string; key: string; suggestions: string[] };

/** A place whose name begins with a typed text. */
export interface Suggestion extends Place {
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** The state or province, in English; undefined if the data contains none. */
  region: string | undefined;
}

/** Places by name and by point, in this process. Every method is synchronous. */
export interface Gazetteer {
  /** @param city in plain typography (`CleanName`) @param country likewise: a name, alias, or ISO code */
  findCity(city: string, country: string): CityMatch;
  /** The nearest suitable city of the country that contains the point; undefined far from any city. */
  nearest(point: Point): Place | undefined;
  /**
   * Places of which a name begins with the text, the most likely first. `findCity` with the city and the country of a
   * suggestion finds the same place: if the name is ambiguous, the city contains its region ("Springfield, Illinois").
   *
   * @param text in plain typography @param limit the most suggestions to return
   * @param country as above; without it, places of all countries are returned
   * @returns undefined if there is no such country
   */
  suggest(text: string, limit: number, country?: string): Suggestion[] | undefined;
}
