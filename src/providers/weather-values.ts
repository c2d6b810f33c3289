import Joi, { type AnySchema } from 'joi';
import { maybe } from '../upstream/schema.js';
import { dewPoint, feelsLike } from '../weather/feels-like.js';
import { plausibleValue } from '../weather/kinds/quantities.js';
import type { Maybe, Point } from '../weather/types.js';
import type { RawValues } from '../weather/kinds/values.js';

/** A number that may be missing. Its plausibility is checked later, for all providers alike. */
export const maybeNumber = maybe(Joi.number().unsafe().allow(Infinity, -Infinity));

export const maybeText = maybe(Joi.string().allow(''));

/** Returns an object with the same schema for each name. */
export const sameSchema = <const Names extends readonly string[], T>(
  names: Names,
  schema: AnySchema<T>,
) => Object.fromEntries(names.map((name) => [name, schema])) as Record<Names[number], AnySchema<T>>;

/** Values by the names of the contract. @param variables the provider's name of each value */
export function renameValues<Name extends string, Variable extends string>(
  variables: Record<Name, Variable>,
  valueOf: (variable: Variable) => Maybe<number>,
): Record<Name, Maybe<number>> {
  const values = Object.entries<Variable>(variables).map(([name, variable]) => [
    name,
    valueOf(variable),
  ]);
  return Object.fromEntries(values) as Record<Name, Maybe<number>>;
}

/** Milliseconds since the epoch of an ISO 8601 time with UTC offset; NaN for anything else. */
export function instantOf(time: unknown): number {
  const isInstant =
    typeof time === 'string' && /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(time);
  return isInstant ? Date.parse(time) : NaN;
}

/** Converts seconds since the Unix epoch to milliseconds; NaN if the time is missing. */
export function instantOfSeconds(seconds: Maybe<number>): number {
  return seconds == null ? NaN : Math.round(seconds * 1000);
}

export const KMH_PER_MS = 3.6;

export function kmhFromMs(metersPerSecond: Maybe<number>): number | undefined {
  return metersPerSecond == null ? undefined : metersPerSecond * KMH_PER_MS;
}

/** How warm it feels by the rule of `feelsLike`. An implausible value counts as missing. */
export function feelsLikeOf({ temperature, humidity, wind_speed }: RawValues): number | null {
  return feelsLike(
    plausibleValue('temperature', temperature),
    plausibleValue('humidity', humidity),
    plausibleValue('wind_speed', wind_speed),
  );
}

/** Computes the dew point. An implausible value counts as missing. */
export function dewPointOf({ temperature, humidity }: RawValues): number | null {
  return dewPoint(plausibleValue('temperature', temperature), plausibleValue('humidity', humidity));
}

/** Formats decimal degrees for the URL of a provider: at most four decimals, no exponent. */
export function degrees({ latitude, longitude }: Point): { latitude: string; longitude: string } {
  const text = (value: number) => String(Number(value.toFixed(4)));
  return { latitude: text(latitude), longitude: text(longitude) };
}
