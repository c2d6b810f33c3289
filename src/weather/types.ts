/** The values of the domain, and the ports that it needs. */

/** A value that a provider may not report. */
export type Maybe<T> = T | null | undefined;

/** Decimal degrees, WGS 84. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** A point, the IANA name of its time zone, and its height. */
export interface ZonedPoint extends Point {
  timeZone: string;
  /** Meters above the sea; undefined if it is unknown. */
  elevation?: number | undefined;
}

/** A place: its English names and its position. */
export interface Place extends Point {
  city: string;
  country: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** The state or province; undefined if the data contains none. */
  region?: string | undefined;
  /** IANA name; undefined if the data contains none. */
  timeZone?: string | undefined;
  /** Meters above the sea; undefined if it is unknown. */
  elevation?: number | undefined;
  /** The code of IATA or ICAO by which the place was found, in capital letters. */
  code?: string | undefined;
  /** The name of the airport that has the code; undefined for a city. */
  airport?: string | undefined;
}

/** The nearest place to a point. Time zone and height are the point's: undefined far from any. */
export interface NearestPlace extends Place {
  /** Name for `findCity`, with the region if the city alone is another one: "Portland, Maine". */
  uniqueName: string;
}

/** The time, as a value that tests can set. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the machine's clock is corrected. */
  now(): number;
  /** Milliseconds of a clock that never steps back; for ages and deadlines. */
  monotonic(): number;
}

export interface UpstreamValue<Value> {
  value: Value;
  /**
   * Time of the response in milliseconds since the Unix epoch, by the clock for which the value is
   * current: of the service, or of this process. Absent: the value is current at any time.
   */
  referenceTime?: number | undefined;
  /** Milliseconds for which the service forbids another call for the same value. Absent: none. */
  freshForMs?: number | undefined;
  /** When its call was sent, by the monotonic clock. Absent: the fetch of this value sent it. */
  sentAt?: number | undefined;
}

/** Fields that the log records about one fetch share. */
export interface LogFields {
  key: string;
  fetch_id: string;
  /** The trace ID of the request that started the fetch, if the client sent one. */
  trace_id: string | undefined;
}

/** The signal and the log fields of the calls of one fetch to upstream services. */
export interface UpstreamCall {
  /** Aborts when no request waits for the fetch any more, which is no upstream failure. */
  signal: AbortSignal;
  logFields?: LogFields | undefined;
  /** Called when a call is sent. */
  sent?: (() => void) | undefined;
  /** Whether the data replaces an entry, even an expired one. The call may use a whole budget. */
  isRefresh?: boolean | undefined;
}

/** The result of a search in the gazetteer. */
export type CityMatch =
  | { kind: 'found'; place: Place }
  /** There is no such country. `suggestions` are up to three countries with similar names. */
  | { kind: 'unknown_country'; suggestions: string[] }
  /**
   * The gazetteer does not contain the city. `country` is the country's English name, and
   * `countryCode` ISO 3166-1 alpha-2; `key` is the same for every spelling; `suggestions` are up to
   * three similar names. With `question`, the text is no town of the country: ask no geocoder.
   */
  | {
      kind: 'unknown_city';
      country: string;
      countryCode: string;
      key: string;
      suggestions: string[];
      question?: PlaceQuestion | undefined;
    };

/**
 * Why a text is no town of a country.
 * - `region`: it is the name of a first-level region, or of a country
 * - `code`: the code of the country is also that of a region, in which the town is
 * - `namesake`: the name of a tiny place, and of a town in an area also counted to the country
 */
export interface PlaceQuestion {
  reason: 'region' | 'code' | 'namesake';
  /** The name of the region; empty for a `namesake`. */
  region: string;
  /** The places that the user more likely means, each with its country. */
  places: { city: string; country: string }[];
}

/** Places by name and by point, in this process. Every method is synchronous. */
export interface Gazetteer {
  /** @param city in plain typography (`CleanName`) @param country likewise: name, alias, or code */
  findCity(city: string, country: string): CityMatch;
  /** The nearest suitable city of the point's country; undefined far from any city. */
  nearest(point: Point): NearestPlace | undefined;
  /** The airport or the city with a code in capital letters: IATA or ICAO. */
  byCode(code: string): Place | undefined;
  /**
   * Places of which a name begins with the text, the most likely first. `findCity` finds a
   * suggestion by its city and country: an ambiguous city has its region ("Springfield, Illinois").
   *
   * @param text in plain typography @param limit the most suggestions to return
   * @param country as above; without it, places of all countries are returned
   * @returns undefined if there is no such country
   */
  suggest(text: string, limit: number, country?: string): Place[] | undefined;
}
