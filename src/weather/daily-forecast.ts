import { ServiceUnavailableError } from '../errors.js';
import { isCondition } from './conditions.js';
import type { Kind } from './kind.js';
import { currentDate } from './local-time.js';
import { isPlausibleTemperature } from './plausible.js';
import { nullable, readMembers, type MemberChecks } from './read-members.js';
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
  /** `2026-11-24T07:31`; null on a day of polar day or polar night, or if the provider has none. */
  sunrise: string | null;
  /** Likewise. It can be after midnight. */
  sunset: string | null;
}

/** The weather of the next days: as many as the provider has, in the order of their dates. */
export interface DailyForecast {
  /** IANA name of the time zone of dates and times. */
  timezone: string;
  days: DailyWeather[];
}

/** The maximum number of days in a forecast, and what every fetch requests: one entry serves every number of days. */
export const MAX_FORECAST_DAYS = 7;

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
  const today = currentDate(timezone, now) ?? '';
  const next = days.filter(({ date }) => date >= today).slice(0, count);
  if (next.length > 0) return next;
  throw new ServiceUnavailableError('All days of the forecast are over');
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The longest IANA name has 32 characters. */
const MAX_TIME_ZONE_LENGTH = 100;

const matches = (pattern: RegExp, value: unknown) =>
  typeof value === 'string' && pattern.test(value);

const isPercentage = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100;

const FORECAST: MemberChecks<DailyForecast> = {
  timezone: (name) => typeof name === 'string' && name.length <= MAX_TIME_ZONE_LENGTH,
  days: (days) => Array.isArray(days) && days.length >= 1 && days.length <= MAX_FORECAST_DAYS,
};

const DAY: MemberChecks<DailyWeather> = {
  date: (value) => matches(DATE, value),
  temperature_min: isPlausibleTemperature,
  temperature_max: isPlausibleTemperature,
  condition: isCondition,
  precipitation_probability: nullable(isPercentage),
  sunrise: nullable((value) => matches(TIME, value)),
  sunset: nullable((value) => matches(TIME, value)),
};
