import { UpstreamError } from '../base/errors.js';
import { codeOf } from '../weather/conditions.js';
import {
  MAX_FORECAST_DAYS,
  type DailyForecast,
  type DailyWeather,
} from '../weather/daily-forecast.js';
import { addDays, isDate, localDate } from '../weather/local-time.js';
import { plausible } from '../weather/plausible.js';
import { sunTimes, type SunTimes } from '../weather/sun.js';
import type { Maybe, Point } from '../weather/types.js';

/** The values that a provider reports for a day, in the units of the contract and not rounded. */
export interface RawDay {
  /** The local date, as `2026-11-24`. */
  date: string;
  /** Degrees Celsius. */
  min: Maybe<number>;
  /** Degrees Celsius. A night can be warmer than its day, so some providers report less than `min`. */
  max: Maybe<number>;
  condition: Maybe<string>;
  /** Percent. */
  precipitationProbability: Maybe<number>;
  /** Millimeters on the date. This and the next values are absent if the provider has none. */
  precipitation?: Maybe<number>;
  /** Kilometers per hour. */
  windSpeedMax?: Maybe<number>;
  windGustsMax?: Maybe<number>;
  uvIndexMax?: Maybe<number>;
}

/** The days that a provider reports for a point, in any order. */
export interface RawForecast {
  point: Point;
  /** IANA name that this version of Node.js knows. */
  timeZone: string;
  days: RawDay[];
}

/** No provider has more days. A date after them is a mistake. */
const MAX_DAYS_AHEAD = 16;

/**
 * Rounds the days from today on as the public contract requires, in the order of their dates, and adds sunrise and sunset. A
 * day without a plausible minimum or maximum, or without a condition, is left out, and so are the days after the seventh. Of
 * several days with one date, the first one that is complete remains.
 * @param now the present, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no day is left
 */
export function toForecast(upstream: string, raw: RawForecast, now: number): DailyForecast {
  const { point, timeZone: timezone } = raw;
  const today = localDate(timezone, now) ?? '';
  const last = addDays(today, MAX_DAYS_AHEAD);
  const byDate = new Map<string, Omit<DailyWeather, keyof SunTimes>>();
  for (const day of raw.days) {
    const isNext = isDate(day.date) && day.date >= today && day.date <= last;
    const complete = isNext && !byDate.has(day.date) ? completeDay(day) : undefined;
    if (complete) byDate.set(day.date, complete);
  }
  const days = [...byDate.values()]
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, MAX_FORECAST_DAYS)
    .map((day) => ({ ...day, ...sunTimes(point, timezone, day.date) }));
  if (days.length > 0) return { timezone, days };
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete day from today on');
}

/** Undefined if a required value is missing or implausible. */
function completeDay(raw: RawDay): Omit<DailyWeather, keyof SunTimes> | undefined {
  const min = plausible('temperature', raw.min);
  const max = plausible('temperature', raw.max);
  if (min === null || max === null || raw.condition == null) return undefined;
  return {
    date: raw.date,
    temperature_min: Math.min(min, max),
    temperature_max: Math.max(min, max),
    condition: raw.condition,
    precipitation_probability: plausible('precipitation_probability', raw.precipitationProbability),
    precipitation: plausible('precipitation', raw.precipitation),
    wind_speed_max: plausible('wind_speed', raw.windSpeedMax),
    wind_gusts_max: plausible('wind_gusts', raw.windGustsMax),
    uv_index_max: plausible('uv_index', raw.uvIndexMax),
  };
}

/** The lowest of several numbers; undefined if there is none. */
export function lowest(numbers: number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[0];
}

/** The highest of several numbers; undefined if there is none. */
export function highest(numbers: number[]): number | undefined {
  return numbers.toSorted((a, b) => b - a)[0];
}

/**
 * The most severe of several conditions: the one with the highest WMO code, as in the daily forecast of Open-Meteo.
 * Undefined if there is none.
 */
export function mostSevere(conditions: string[]): string | undefined {
  const severity = (condition: string) => codeOf(condition) ?? -1;
  return conditions.toSorted((a, b) => severity(b) - severity(a))[0];
}
