import { ServiceUnavailableError } from '../base/errors.js';
import { isCondition } from './conditions.js';
import type { Kind } from './kind.js';
import { HOUR_MS } from './durations.js';
import { isTimeZoneName, localDate, noonOf } from './local-time.js';
import {
  maybeQuantity,
  nullable,
  quantity,
  readMembers,
  type MemberChecks,
} from './read-members.js';
import { isPointRequest, pointKey, type PointRequest } from './point.js';

/** The weather of one day, in the units of the public contract. Dates and times are local to the point. */
export interface DailyWeather {
  /** `2026-11-24`. */
  date: string;
  /** Degrees Celsius, at most one decimal. */
  temperature_min: number;
  /** Degrees Celsius, at most one decimal. */
  temperature_max: number;
  /** Text of the WMO weather code of the most severe weather of the day. */
  condition: string;
  /** Integer percentage; null if the provider has none. */
  precipitation_probability: number | null;
  /** `2026-11-24T07:31`; null on a day of polar day or polar night. */
  sunrise: string | null;
  /** Likewise. It can be after midnight. */
  sunset: string | null;
  /** Millimeters of water on this date; null or absent if the provider has none. */
  precipitation?: number | null;
  /** Kilometers per hour; null or absent if the provider has none. */
  wind_speed_max?: number | null;
  /** Likewise. */
  wind_gusts_max?: number | null;
  /** Null or absent if the provider has none. */
  uv_index_max?: number | null;
}

/** The weather of the next days: as many as the provider has, in the order of their dates. */
export interface DailyForecast {
  /** IANA name of the time zone of dates and times. */
  timezone: string;
  days: DailyWeather[];
}

/** The maximum number of days in a forecast, and what every fetch requests: one entry serves every number of days. */
export const MAX_FORECAST_DAYS = 7;

const OVER = 'All days of the forecast are over';

/** The daily forecast for a point. */
export const DAILY_FORECAST: Kind<PointRequest, DailyForecast> = {
  name: 'forecast',
  keyOf: ({ point }) => pointKey(point),
  isRequest: isPointRequest,
  readValue(input) {
    const forecast = readMembers<DailyForecast>(input, FORECAST);
    const days = forecast?.days.flatMap((day) => readMembers<DailyWeather>(day, DAY) ?? []);
    return days && days.length === forecast?.days.length ? { ...forecast, days } : undefined;
  },
  /** To the hour: on a day of a clock change, midnight can be an hour earlier or later. */
  untilOver({ timezone, days }, now) {
    const last = days.at(-1);
    return last ? Math.max(0, noonOf(timezone, last.date) + 12 * HOUR_MS - now) : 0;
  },
  overMessage: OVER,
};

/**
 * The first days of a forecast that are not over yet. An entry that was fetched before midnight can be served after it:
 * its first day is then left out. If this version of Node.js does not know the time zone, no day is left out.
 * @param now milliseconds since the Unix epoch
 * @param count the maximum number of days
 * @throws ServiceUnavailableError if all days are over: a forecast of the past is not a value
 */
export function nextDays(
  { timezone, days }: DailyForecast,
  now: number,
  count: number,
): DailyWeather[] {
  const today = localDate(timezone, now) ?? '';
  const next = days.filter(({ date }) => date >= today).slice(0, count);
  if (next.length > 0) return next;
  throw new ServiceUnavailableError(OVER);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const matches = (pattern: RegExp, value: unknown) =>
  typeof value === 'string' && pattern.test(value);

const FORECAST: MemberChecks<DailyForecast> = {
  timezone: isTimeZoneName,
  days: (days) => Array.isArray(days) && days.length >= 1 && days.length <= MAX_FORECAST_DAYS,
};

const DAY: MemberChecks<DailyWeather> = {
  date: (value) => matches(DATE, value),
  temperature_min: quantity('temperature'),
  temperature_max: quantity('temperature'),
  condition: isCondition,
  precipitation_probability: nullable(quantity('precipitation_probability')),
  sunrise: nullable((value) => matches(TIME, value)),
  sunset: nullable((value) => matches(TIME, value)),
  precipitation: maybeQuantity('precipitation'),
  wind_speed_max: maybeQuantity('wind_speed'),
  wind_gusts_max: maybeQuantity('wind_gusts'),
  uv_index_max: maybeQuantity('uv_index'),
};
