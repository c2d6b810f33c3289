import Joi from 'joi';
import { UpstreamError } from '../base/errors.js';
import { dewPoint, feelsLike } from '../weather/feels-like.js';
import { bounded, plausible } from '../weather/plausible.js';
import type { Maybe, Point, Weather } from '../weather/types.js';
import { assertPresent } from './present.js';

export type { Maybe } from '../weather/types.js';

/**
 * The values that a provider reports for the current weather, in the units of the contract and not rounded. Absent: the
 * provider has none.
 */
export interface RawWeather {
  /** The instant that the values are for, in milliseconds since the Unix epoch; NaN if the response does not have it. */
  at: number;
  /** Degrees Celsius. */
  temperature: Maybe<number>;
  /** Percent. Some providers report decimals. */
  humidity: Maybe<number>;
  /** Kilometers per hour. */
  windSpeed: Maybe<number>;
  condition: Maybe<string>;
  feelsLike?: Maybe<number>;
  dewPoint?: Maybe<number>;
  /** Hectopascals at sea level. */
  pressure?: Maybe<number>;
  cloudCover?: Maybe<number>;
  /** Millimeters per hour. */
  precipitation?: Maybe<number>;
  windDirection?: Maybe<number>;
  windGusts?: Maybe<number>;
  /** Meters. */
  visibility?: Maybe<number>;
  uvIndex?: Maybe<number>;
}

/** A number that may be missing. Whether it is plausible is checked later, for all providers alike. */
export const maybeNumber = Joi.number().unsafe().allow(null, Infinity, -Infinity);

/** A text that may be missing. */
export const maybeText = Joi.string().allow('', null);

/** The name of a time zone, which this version of Node.js may not know. */
export const timeZoneName = Joi.string().max(100);

/** The instant of an ISO 8601 time that contains its offset from UTC, in milliseconds since the epoch; NaN for anything else. */
export function instantOf(time: unknown): number {
  const isInstant =
    typeof time === 'string' && /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(time);
  return isInstant ? Date.parse(time) : NaN;
}

/** The instant of a time in seconds since the Unix epoch, in milliseconds; NaN if the time is missing. */
export function instantOfSeconds(seconds: Maybe<number>): number {
  return seconds == null ? NaN : Math.round(seconds * 1000);
}

/** Kilometers per hour in one meter per second. */
export const KMH_PER_MS = 3.6;

/** Converts meters per second to kilometers per hour. */
export function kmhFromMs(metersPerSecond: Maybe<number>): number | undefined {
  return metersPerSecond == null ? undefined : metersPerSecond * KMH_PER_MS;
}

/** Computes how warm it feels by the rule of `feelsLike`. An implausible value counts as missing. */
export function feelsLikeOf(raw: Pick<RawWeather, 'temperature' | 'humidity' | 'windSpeed'>) {
  return feelsLike(
    bounded('temperature', raw.temperature),
    bounded('humidity', raw.humidity),
    bounded('wind_speed', raw.windSpeed),
  );
}

/** Computes the dew point. An implausible value counts as missing. */
export function dewPointOf(temperature: Maybe<number>, humidity: Maybe<number>): number | null {
  return dewPoint(bounded('temperature', temperature), bounded('humidity', humidity));
}

/** Formats decimal degrees for the URL of a provider: at most four decimals, no exponent. */
export function degrees({ latitude, longitude }: Point): { latitude: string; longitude: string } {
  const text = (value: number) => String(Number(value.toFixed(4)));
  return { latitude: text(latitude), longitude: text(longitude) };
}

/**
 * Rounds current weather as the public contract requires.
 * @param now the present, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the values are not of the present, or a required value is missing or implausible
 */
export function toWeather(upstream: string, raw: RawWeather, now: number): Weather {
  assertPresent(upstream, raw.at, now);
  const required = <Value>(field: string, value: Maybe<Value>): Value => {
    if (value != null) return value;
    throw new UpstreamError(upstream, 'no_data', `no plausible ${field}`);
  };
  return {
    temperature: required('temperature', plausible('temperature', raw.temperature)),
    condition: required('condition', raw.condition),
    humidity: required('humidity', plausible('humidity', raw.humidity)),
    wind_speed: required('wind speed', plausible('wind_speed', raw.windSpeed)),
    time: raw.at,
    feels_like: plausible('feels_like', raw.feelsLike),
    dew_point: plausible('dew_point', raw.dewPoint),
    pressure: plausible('pressure', raw.pressure),
    cloud_cover: plausible('cloud_cover', raw.cloudCover),
    precipitation: plausible('precipitation', raw.precipitation),
    wind_direction: plausible('wind_direction', raw.windDirection),
    wind_gusts: plausible('wind_gusts', raw.windGusts),
    visibility: plausible('visibility', raw.visibility),
    uv_index: plausible('uv_index', raw.uvIndex),
  };
}
