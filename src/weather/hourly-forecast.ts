import { ServiceUnavailableError } from '../base/errors.js';
import { codeOf, conditionOf, UNKNOWN_CONDITION } from './conditions.js';
import { HOUR_MS } from './durations.js';
import type { Kind } from './kind.js';
import { isInstant, isTimeZoneName } from './local-time.js';
import { isPointRequest, pointKey, type PointRequest } from './point.js';
import { maybeQuantity, quantity, readMembers, type MemberChecks } from './read-members.js';

/** The values of an hour that a provider may not have. */
const OPTIONAL = [
  'feels_like',
  'humidity',
  'cloud_cover',
  'precipitation',
  'precipitation_probability',
  'wind_speed',
  'wind_direction',
  'wind_gusts',
] as const;

type OptionalName = (typeof OPTIONAL)[number];

/**
 * The weather of one hour, in the units of the public contract. Values are those at the instant `time`. Precipitation, its
 * probability, and gusts are those of the hour that begins at `time`. Values that the provider does not have are null.
 */
export interface HourlyWeather extends Record<OptionalName, number | null> {
  /** Milliseconds since the Unix epoch. */
  time: number;
  temperature: number;
  /** Text of the WMO weather code. */
  condition: string;
}

/**
 * The weather of the next hours, in the order of time: as many as the provider has. One list for each value, because 48
 * objects would take three times as much memory in Redis. All lists have the same length.
 */
export interface HourlyForecast extends Record<OptionalName, (number | null)[]> {
  /** IANA name of the time zone at the point. */
  timezone: string;
  time: number[];
  temperature: number[];
  /** WMO weather codes; null for the condition `Unknown`. */
  weather_code: (number | null)[];
}

/** The maximum number of hours in a forecast, and what every fetch requests: one entry serves every number of hours. */
export const MAX_FORECAST_HOURS = 48;

const OVER = 'All hours of the forecast are over';

/** The hourly forecast for a point. */
export const HOURLY_FORECAST: Kind<PointRequest, HourlyForecast> = {
  name: 'hourly',
  keyOf: ({ point }) => pointKey(point),
  isRequest: isPointRequest,
  readValue(input) {
    const forecast = readMembers<HourlyForecast>(input, FORECAST);
    const isComplete =
      forecast && LISTS.every((name) => forecast[name].length === forecast.time.length);
    return isComplete ? forecast : undefined;
  },
  untilOver: ({ time }, now) => Math.max(0, (time.at(-1) ?? 0) + HOUR_MS - now),
  overMessage: OVER,
};

/** A check of a list with an element for each hour. */
const list =
  (check: (element: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= MAX_FORECAST_HOURS && value.every(check);

const isCode = (value: unknown) =>
  value === null || (typeof value === 'number' && conditionOf(value) !== UNKNOWN_CONDITION);

const isAscending = (times: readonly number[]) =>
  times.slice(1).every((time, index) => time > (times[index] ?? 0));

const FORECAST: MemberChecks<HourlyForecast> = {
  timezone: isTimeZoneName,
  time: (value) =>
    list(isInstant)(value) && (value as unknown[]).length >= 1 && isAscending(value as number[]),
  temperature: list(quantity('temperature')),
  weather_code: list(isCode),
  feels_like: list(maybeQuantity('feels_like')),
  humidity: list(maybeQuantity('humidity')),
  cloud_cover: list(maybeQuantity('cloud_cover')),
  precipitation: list(maybeQuantity('precipitation')),
  precipitation_probability: list(maybeQuantity('precipitation_probability')),
  wind_speed: list(maybeQuantity('wind_speed')),
  wind_direction: list(maybeQuantity('wind_direction')),
  wind_gusts: list(maybeQuantity('wind_gusts')),
};

const LISTS = ['temperature', 'weather_code', ...OPTIONAL] as const;

/** Creates a forecast of hours in the order of time. @param timezone IANA name */
export function hourlyForecast(timezone: string, hours: HourlyWeather[]): HourlyForecast {
  const list = (name: OptionalName) => hours.map((hour) => hour[name]);
  return {
    timezone,
    time: hours.map(({ time }) => time),
    temperature: hours.map(({ temperature }) => temperature),
    weather_code: hours.map(({ condition }) => codeOf(condition) ?? null),
    ...(Object.fromEntries(OPTIONAL.map((name) => [name, list(name)])) as Record<
      OptionalName,
      (number | null)[]
    >),
  };
}

/**
 * The first hours of a forecast that are not over yet: the first one is the present hour. An entry that was fetched in an
 * earlier hour can be served later.
 * @param now milliseconds since the Unix epoch
 * @param count the maximum number of hours
 * @throws ServiceUnavailableError if all hours are over: a forecast of the past is not a value
 */
export function nextHours(forecast: HourlyForecast, now: number, count: number): HourlyWeather[] {
  const first = forecast.time.findIndex((time) => time + HOUR_MS > now);
  if (first < 0) throw new ServiceUnavailableError(OVER);
  return forecast.time
    .slice(first, first + count)
    .map((time, i) => hourAt(forecast, first + i, time));
}

function hourAt(forecast: HourlyForecast, index: number, time: number): HourlyWeather {
  const code = forecast.weather_code[index] ?? null;
  const value = (name: OptionalName) => forecast[name][index] ?? null;
  return {
    time,
    temperature: forecast.temperature[index] ?? 0,
    condition: code === null ? UNKNOWN_CONDITION : conditionOf(code),
    feels_like: value('feels_like'),
    humidity: value('humidity'),
    cloud_cover: value('cloud_cover'),
    precipitation: value('precipitation'),
    precipitation_probability: value('precipitation_probability'),
    wind_speed: value('wind_speed'),
    wind_direction: value('wind_direction'),
    wind_gusts: value('wind_gusts'),
  };
}
