import Joi from 'joi';
import { conditionOf } from '../../weather/conditions.js';
import { HOUR_MS, MINUTE_MS } from '../../weather/durations.js';
import type { Maybe } from '../../weather/types.js';
import {
  dewPointOf,
  instantOf,
  maybeNumber,
  maybeText,
  type RawWeather,
} from '../weather-values.js';

/** A response with current values. Each of them may be null. */
interface CurrentResponse {
  current: {
    /** In UTC, without an offset: `2026-11-21T01:15`. */
    time?: Maybe<string>;
    /** Seconds: the length of the period before `time` for which `precipitation` is the sum. */
    interval?: Maybe<number>;
  } & Partial<Record<(typeof VARIABLES)[number] | (typeof MORE_VARIABLES)[number], Maybe<number>>>;
}

/**
 * The variables of a call (https://open-meteo.com/en/docs). Ten of them count as one call
 * (https://open-meteo.com/en/pricing), so the dew point and whether it is day are computed.
 */
const VARIABLES = [
  'temperature_2m',
  'relative_humidity_2m',
  'apparent_temperature',
  'weather_code',
  'pressure_msl',
  'precipitation',
  'cloud_cover',
  'wind_speed_10m',
  'wind_direction_10m',
  'wind_gusts_10m',
] as const;

/** With these two, a call counts as 1.2 calls. */
const MORE_VARIABLES = ['visibility', 'uv_index'] as const;

/** The query for current weather. @param more whether visibility and UV index are included */
export function currentQuery(more: boolean): Record<string, string> {
  const variables = [...VARIABLES, ...(more ? MORE_VARIABLES : [])];
  return { current: variables.join(','), wind_speed_unit: 'kmh', timezone: 'GMT' };
}

export const CURRENT_RESPONSE = Joi.object<CurrentResponse>({
  current: Joi.object({
    time: maybeText,
    interval: maybeNumber,
    ...Object.fromEntries([...VARIABLES, ...MORE_VARIABLES].map((name) => [name, maybeNumber])),
  }).required(),
});

/** The current weather of a response. */
export function weatherOf({ current }: CurrentResponse): RawWeather {
  const { temperature_2m: temperature, relative_humidity_2m: humidity, weather_code } = current;
  return {
    at: instantOf(`${current.time}Z`),
    temperature,
    humidity,
    windSpeed: current.wind_speed_10m,
    condition: weather_code == null ? undefined : conditionOf(weather_code),
    feelsLike: current.apparent_temperature,
    dewPoint: dewPointOf(temperature, humidity),
    pressure: current.pressure_msl,
    cloudCover: current.cloud_cover,
    precipitation: hourlyRate(current.precipitation, current.interval),
    windDirection: current.wind_direction_10m,
    windGusts: current.wind_gusts_10m,
    visibility: current.visibility,
    uvIndex: current.uv_index,
  };
}

/** Bounds in milliseconds for the period of current precipitation. Real periods are a quarter of an hour or an hour. */
const SHORTEST_MS = MINUTE_MS;
const LONGEST_MS = 3 * HOUR_MS;

/**
 * Millimeters per hour in a period; undefined if the period is missing or implausible.
 * @param amount millimeters @param seconds the length of the period
 */
function hourlyRate(amount: Maybe<number>, seconds: Maybe<number>): number | undefined {
  if (amount == null || seconds == null) return undefined;
  const lengthMs = seconds * 1000;
  if (!(lengthMs >= SHORTEST_MS && lengthMs <= LONGEST_MS)) return undefined;
  return (amount * HOUR_MS) / lengthMs;
}
