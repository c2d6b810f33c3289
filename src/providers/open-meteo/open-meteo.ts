import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { FETCHED_DAYS } from '../../weather/daily-forecast.js';
import { HOUR_MS } from '../../weather/durations.js';
import { FETCHED_HOURS } from '../../weather/hourly-forecast.js';
import type { Maybe } from '../../weather/types.js';
import { toCurrent, toDaily, toHourly, type RawDay, type RawTime } from '../kind-values.js';
import { readAtReferenceTime } from '../reference-time.js';
import type { ProviderOptions } from '../provider-options.js';
import {
  degrees,
  dewPointOf,
  instantOf,
  instantOfSeconds,
  maybeNumber,
  maybeText,
  renamed,
} from '../weather-values.js';
import { openMeteoCaller } from './open-meteo-service.js';

/*
 * The variables of the service by the names of the contract (https://open-meteo.com/en/docs). A call with at most ten
 * variables, for two weeks, counts as one call (https://open-meteo.com/en/pricing). So the dew point, whether it is day, sunrise,
 * and sunset are computed.
 */

/** The values at a time. */
const INSTANT = {
  temperature: 'temperature_2m',
  feels_like: 'apparent_temperature',
  humidity: 'relative_humidity_2m',
  cloud_cover: 'cloud_cover',
  wind_speed: 'wind_speed_10m',
  wind_direction: 'wind_direction_10m',
} as const;

/** The values of the period before a time: of hours, or of `interval` seconds. */
const PERIOD = {
  weather_code: 'weather_code',
  precipitation: 'precipitation',
  wind_gusts: 'wind_gusts_10m',
} as const;

const CURRENT = { ...INSTANT, ...PERIOD, pressure: 'pressure_msl' } as const;
/** With these two, a call counts as 1.2 calls. */
const MORE_CURRENT = { visibility: 'visibility', uv_index: 'uv_index' } as const;

const HOURLY_PERIOD = {
  ...PERIOD,
  precipitation_probability: 'precipitation_probability',
} as const;

const DAILY = {
  weather_code: 'weather_code',
  temperature_min: 'temperature_2m_min',
  temperature_max: 'temperature_2m_max',
  precipitation: 'precipitation_sum',
  precipitation_probability: 'precipitation_probability_max',
  wind_speed_max: 'wind_speed_10m_max',
  wind_gusts_max: 'wind_gusts_10m_max',
  uv_index_max: 'uv_index_max',
  snowfall: 'snowfall_sum',
} as const;

type VariableOf<Table> = Table[keyof Table];

/** A schema for each variable of several tables. */
const schemaOf = (schema: Joi.Schema, ...tables: Record<string, string>[]) =>
  Object.fromEntries(tables.flatMap(Object.values<string>).map((variable) => [variable, schema]));

interface CurrentResponse {
  current: {
    /** In UTC, without an offset: `2026-11-21T01:15`. */
    time?: Maybe<string>;
    /** Seconds: the length of the period before `time` for which `precipitation` is the sum. */
    interval?: Maybe<number>;
  } & Partial<Record<VariableOf<typeof CURRENT> | VariableOf<typeof MORE_CURRENT>, Maybe<number>>>;
}

const CURRENT_RESPONSE = Joi.object<CurrentResponse>({
  current: Joi.object({
    time: maybeText,
    interval: maybeNumber,
    ...schemaOf(maybeNumber, CURRENT, MORE_CURRENT),
  }).required(),
});

/** One item for each hour or day. */
type List = Maybe<number>[];

interface HourlyResponse {
  /** `time` is in seconds since the Unix epoch. */
  hourly: { time: List } & Partial<
    Record<VariableOf<typeof INSTANT> | VariableOf<typeof HOURLY_PERIOD>, List>
  >;
}

/** Twice as many as are requested. */
const perHour = atMost(2 * FETCHED_HOURS, Joi.array().items(maybeNumber));

const HOURLY_RESPONSE = Joi.object<HourlyResponse>({
  hourly: Joi.object({
    ...schemaOf(perHour, INSTANT, HOURLY_PERIOD),
    time: perHour.required(),
    temperature_2m: perHour.required(),
    weather_code: perHour.required(),
  }).required(),
});

interface DailyResponse {
  daily: { time: string[] } & Partial<Record<VariableOf<typeof DAILY>, List>>;
}

/** The service has at most sixteen days. */
const perDay = (item: Joi.Schema) => atMost(16, Joi.array().items(item));
const numberPerDay = perDay(maybeNumber);

const DAILY_RESPONSE = Joi.object<DailyResponse>({
  daily: Joi.object({
    ...schemaOf(numberPerDay, DAILY),
    time: perDay(Joi.string().pattern(/^\d{4}-\d\d-\d\d$/)).required(),
    temperature_2m_min: numberPerDay.required(),
    temperature_2m_max: numberPerDay.required(),
    weather_code: numberPerDay.required(),
  }).required(),
});

const listed = (...tables: Record<string, string>[]) =>
  tables.flatMap(Object.values<string>).join(',');

/**
 * Open-Meteo's forecast service (https://open-meteo.com/en/docs). Noncommercial use needs no key. Each ability is one call
 * of the provider's quota.
 *
 * The service knows one offset from UTC for a whole response, that of today (open-meteo/open-meteo, issue 488), and in a zone
 * with a half hour it would shift the hours. So hours are requested in UTC. Dates are right on days of a clock change, because
 * they are dates of the calendar.
 */
export function createOpenMeteo(options: ProviderOptions): WeatherProvider {
  const name = 'open-meteo';
  const call = openMeteoCaller(options, name, '/v1/forecast');
  const units = { wind_speed_unit: 'kmh' };
  return {
    name,
    async current(point, signal) {
      const more = options.config.OPEN_METEO_MORE_CONDITIONS ? MORE_CURRENT : {};
      const current = listed(CURRENT, more);
      const query = { ...degrees(point), current, ...units, timezone: 'GMT' };
      const response = await call({ query, schema: CURRENT_RESPONSE, signal, small: true });
      return readAtReferenceTime(response, (body, now) => toCurrent(name, currentOf(body), now));
    },
    async daily(point, signal) {
      const days = { daily: listed(DAILY), forecast_days: String(FETCHED_DAYS) };
      const query = { ...degrees(point), ...days, ...units, timezone: point.timeZone };
      const response = await call({ query, schema: DAILY_RESPONSE, signal, small: true });
      return readAtReferenceTime(response, (body, now) => toDaily(name, point, daysOf(body), now));
    },
    async hourly(point, signal) {
      // One hour more than needed: see `hoursOf`.
      const count = { forecast_hours: String(FETCHED_HOURS + 1) };
      const hours = { hourly: listed(INSTANT, HOURLY_PERIOD), ...count };
      const utc = { timezone: 'GMT', timeformat: 'unixtime' };
      const query = { ...degrees(point), ...hours, ...units, ...utc };
      const response = await call({ query, schema: HOURLY_RESPONSE, signal });
      return readAtReferenceTime(response, (body, now) =>
        toHourly(name, point, hoursOf(body), now),
      );
    },
  };
}

function currentOf({ current }: CurrentResponse): RawTime {
  const values = renamed({ ...CURRENT, ...MORE_CURRENT }, (variable) => current[variable]);
  return {
    ...values,
    time: instantOf(`${current.time}Z`),
    dew_point: dewPointOf(values),
    precipitation: hourlyRate(current.precipitation, current.interval),
  };
}

/**
 * Millimeters per hour in a period; undefined if the period is missing or implausible. Real periods are a quarter of an hour or
 * an hour.
 * @param amount millimeters @param seconds the length of the period
 */
function hourlyRate(amount: Maybe<number>, seconds: Maybe<number>): number | undefined {
  if (amount == null || seconds == null || seconds < 60 || seconds > 10_800) return undefined;
  return (amount * 3600) / seconds;
}

/**
 * The hours of a response. The values of the period that begins at a time are those of the next time. The weather code is one
 * of them: where the service computes it, it is that of the precipitation with the same time, and text and amount must agree.
 */
function hoursOf({ hourly }: HourlyResponse): RawTime[] {
  const times = hourly.time.map(instantOfSeconds);
  const indexes = new Map(times.map((time, index) => [time, index]));
  return times.map((time, now) => {
    // An index that no array has.
    const next = indexes.get(time + HOUR_MS) ?? -1;
    return {
      time,
      ...renamed(INSTANT, (variable) => hourly[variable]?.[now]),
      ...renamed(HOURLY_PERIOD, (variable) => hourly[variable]?.[next]),
    };
  });
}

const daysOf = ({ daily }: DailyResponse): RawDay[] =>
  daily.time.map((date, index) => ({ date, ...renamed(DAILY, (name) => daily[name]?.[index]) }));
