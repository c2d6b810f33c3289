import Joi from 'joi';
import { UpstreamError } from '../errors.js';
import { plausible } from '../weather/plausible.js';
import type { Maybe, Point, Weather } from '../weather/types.js';
import { assertPresent } from './present.js';

export type { Maybe } from '../weather/types.js';

/** The values that a provider reports for the current weather, in the units of the contract and not rounded. */
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
  /** Whether the sun is up, if the provider reports it. */
  isDay?: boolean | undefined;
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

/** Kilometers per hour in one meter per second. */
export const KMH_PER_MS = 3.6;

/** Converts meters per second to kilometers per hour. */
export function kmhFromMs(metersPerSecond: Maybe<number>): number | undefined {
  return metersPerSecond == null ? undefined : metersPerSecond * KMH_PER_MS;
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
    ...(raw.isDay === undefined ? {} : { is_day: raw.isDay }),
  };
}
