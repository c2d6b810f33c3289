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

/** The nearest place to a point. Time zone and height are those of the point: undefined far from any place. */
export interface NearestPlace extends Place {
  /** The city, with its region if the name alone means another city: "Portland, Maine". `findCity` finds the place by it. */
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
   * The time of the response in milliseconds since the Unix epoch, by the clock for which the value is current: that of
   * the service, or of this process. Absent: the value is current at any time.
   */
  referenceTime?: number | undefined;
  /** Milliseconds for which the service forbids another call for the same value. Absent: it forbids none. */
  freshForMs?: number | undefined;
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
  /** Aborts when no request waits for the fetch any more. That is not a failure of an upstream service. */
  signal: AbortSignal;
  logFields?: LogFields | undefined;
  /** Called when a call is sent. */
  sent?: (() => void) | undefined;
  /** Whether the data replaces an entry, also one that has expired. Such a call may use a whole budget. */
  isRefresh?: boolean | undefined;
}

/** The result of a search in the gazetteer. */
export type CityMatch =
  | { kind: 'found'; place: Place }
  /** There is no such country. `suggestions` are up to three countries with similar names. */
  | { kind: 'unknown_country'; suggestions: string[] }
  /**
   * The country exists, but the gazetteer does not contain the city. `country` is its English name, and `countryCode`
   * ISO 3166-1 alpha-2; `key` is the same for every spelling of the pair; `suggestions` are up to three similar names.
   * With `question`, the text has a meaning that is no town of the country, so that no geocoder is asked.
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
 * - `namesake`: only a tiny place has the name, and a town of this name is in an area that people also count to the country
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
  /** @param city in plain typography (`CleanName`) @param country likewise: a name, alias, or ISO code */
  findCity(city: string, country: string): CityMatch;
  /** The nearest suitable city of the country that contains the point; undefined far from any city. */
  nearest(point: Point): NearestPlace | undefined;
  /** The airport or the city with a code in capital letters: IATA or ICAO. */
  byCode(code: string): Place | undefined;
  /**
   * Places of which a name begins with the text, the most likely first. `findCity` with the city and the country of a
   * suggestion finds the same place: if the name is ambiguous, the city contains its region ("Springfield, Illinois").
   *
   * @param text in plain typography @param limit the most suggestions to return
   * @param country as above; without it, places of all countries are returned
   * @returns undefined if there is no such country
   */
  suggest(text: string, limit: number, country?: string): Place[] | undefined;
}
