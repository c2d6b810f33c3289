import Joi from 'joi';
import { atMost, objectOf, optional, type Validated } from '../../upstream/schema.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { AIR_QUALITY, AIR_QUANTITIES } from '../../weather/kinds/air-quality.js';
import { camsResolution } from '../../weather/kinds/cams-europe.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST, FETCHED_DAYS } from '../../weather/kinds/daily-forecast.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import { FETCHED_HOURS, HOURLY_FORECAST } from '../../weather/kinds/hourly-forecast.js';
import { POLLEN, POLLEN_QUANTITIES } from '../../weather/kinds/pollen.js';
import type { Maybe, Point } from '../../weather/types.js';
import { readCurrent, readSeries, type RawDay, type RawTime } from '../kind-values.js';
import type { ProviderOptions } from '../provider-options.js';
import {
  degrees,
  dewPointOf,
  instantOf,
  instantOfSeconds,
  maybeNumber,
  maybeText,
  renameValues,
  sameSchema,
} from '../weather-values.js';
import { openMeteoCaller } from './open-meteo-service.js';

/*
 * The service's variables by contract name (https://open-meteo.com/en/docs). A call with at most
 * ten variables, for two weeks, counts as one (https://open-meteo.com/en/pricing). So the dew
 * point, whether it is day, sunrise, and sunset are computed.
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
/** With these, a call uses 1.2 calls of the quota: requested only if no budget counts calls. */
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

/** Their names are those of the contract (https://open-meteo.com/en/docs/air-quality-api). */
const AIR = AIR_QUANTITIES.optional;
const POLLENS = POLLEN_QUANTITIES.optional;

const AIR_RESPONSE = objectOf({
  // The time is that of the hour, in UTC, without an offset.
  current: objectOf({
    time: maybeText,
    ...sameSchema([...AIR, ...POLLENS], maybeNumber),
  }).required(),
});

const CURRENT_RESPONSE = objectOf({
  current: objectOf({
    // In UTC, without an offset: `2026-11-21T01:15`.
    time: maybeText,
    // Seconds: the length of the period before `time` for which `precipitation` is the sum.
    interval: maybeNumber,
    ...sameSchema(Object.values({ ...CURRENT, ...MORE_CURRENT }), maybeNumber),
  }).required(),
});

/** Twice as many as are requested. */
const perHour = atMost(2 * FETCHED_HOURS, maybeNumber);

const HOURLY_RESPONSE = objectOf({
  hourly: objectOf({
    ...sameSchema(Object.values({ ...INSTANT, ...HOURLY_PERIOD }), optional(perHour)),
    // In seconds since the Unix epoch.
    time: perHour.required(),
    temperature_2m: perHour.required(),
    weather_code: perHour.required(),
  }).required(),
});

/** The service has at most sixteen days. */
const MAX_DAYS = 16;
const perDay = atMost(MAX_DAYS, maybeNumber);

const DAILY_RESPONSE = objectOf({
  daily: objectOf({
    ...sameSchema(Object.values(DAILY), optional(perDay)),
    time: atMost(MAX_DAYS, Joi.string().pattern(/^\d{4}-\d\d-\d\d$/)).required(),
    temperature_2m_min: perDay.required(),
    temperature_2m_max: perDay.required(),
    weather_code: perDay.required(),
  }).required(),
});

const listed = (...tables: Record<string, string>[]) =>
  tables.flatMap(Object.values<string>).join(',');

/**
 * Open-Meteo's forecast service (https://open-meteo.com/en/docs). Non-commercial use needs no key.
 * Each ability is one call of the provider's quota.
 *
 * The service knows one UTC offset for a whole response, today's (open-meteo/open-meteo, issue
 * 488), and would shift the hours in a zone with a half hour. So hours are requested in UTC. Dates
 * are right on days of a clock change, because they are dates of the calendar.
 */
export function createOpenMeteo(options: ProviderOptions): WeatherProvider {
  const name = 'open-meteo';
  const call = openMeteoCaller(options, name, '/v1/forecast');
  const air = 'open-meteo-air-quality';
  const callAir = openMeteoCaller(options, air, '/v1/air-quality');
  const units = { wind_speed_unit: 'kmh' };
  const currentAir = (variables: readonly string[], point: Point, signal: AbortSignal) => {
    const query = { ...degrees(point), current: variables.join(), timezone: 'GMT' };
    return callAir({ query, schema: AIR_RESPONSE, signal, uncompressed: true });
  };
  return {
    name,
    async current(point, signal) {
      const more = options.hasBudget ? {} : MORE_CURRENT;
      const current = listed(CURRENT, more);
      const query = { ...degrees(point), current, ...units, timezone: 'GMT' };
      const response = await call({ query, schema: CURRENT_RESPONSE, signal, uncompressed: true });
      return readCurrent(name, CURRENT_WEATHER, response, currentOf);
    },
    async daily(point, signal) {
      const days = { daily: listed(DAILY), forecast_days: String(FETCHED_DAYS) };
      const query = { ...degrees(point), ...days, ...units, timezone: point.timeZone };
      const response = await call({ query, schema: DAILY_RESPONSE, signal, uncompressed: true });
      return readSeries(name, DAILY_FORECAST, point, response, daysOf);
    },
    async hourly(point, signal) {
      // One hour more than needed: see `hoursOf`.
      const count = { forecast_hours: String(FETCHED_HOURS + 1) };
      const hours = { hourly: listed(INSTANT, HOURLY_PERIOD), ...count };
      const utc = { timezone: 'GMT', timeformat: 'unixtime' };
      const query = { ...degrees(point), ...hours, ...units, ...utc };
      const response = await call({ query, schema: HOURLY_RESPONSE, signal });
      return readSeries(name, HOURLY_FORECAST, point, response, hoursOf);
    },
    async air(point, signal) {
      const response = await currentAir(AIR, point, signal);
      return readCurrent(air, AIR_QUALITY, response, (body) => ({
        ...airOf(body),
        resolution_km: camsResolution(point),
      }));
    },
    async pollen(point, signal) {
      return readCurrent(air, POLLEN, await currentAir(POLLENS, point, signal), airOf);
    },
  };
}

const airOf = ({ current }: Validated<typeof AIR_RESPONSE>): RawTime => ({
  ...current,
  time: instantOf(`${current.time}Z`),
});

function currentOf({ current }: Validated<typeof CURRENT_RESPONSE>): RawTime {
  const values = renameValues({ ...CURRENT, ...MORE_CURRENT }, (variable) => current[variable]);
  return {
    ...values,
    time: instantOf(`${current.time}Z`),
    dew_point: dewPointOf(values),
    precipitation: hourlyRate(current.precipitation, current.interval),
  };
}

/**
 * Millimeters per hour in a period; undefined if it is missing or implausible. Real periods are a
 * quarter of an hour or an hour.
 * @param amount millimeters @param seconds the length of the period
 */
function hourlyRate(amount: Maybe<number>, seconds: Maybe<number>): number | undefined {
  if (amount == null || seconds == null || seconds < 60 || seconds > 10_800) return undefined;
  return (amount * 3600) / seconds;
}

/**
 * The values of a period are at the time after its start, also the weather code: where the service
 * computes it from the precipitation at the same time, text and amount must agree.
 */
function hoursOf({ hourly }: Validated<typeof HOURLY_RESPONSE>): RawTime[] {
  const times = hourly.time.map(instantOfSeconds);
  const indexes = new Map(times.map((time, index) => [time, index]));
  return times.map((time, index) => {
    // An index that no array has.
    const next = indexes.get(time + HOUR_MS) ?? -1;
    return {
      time,
      ...renameValues(INSTANT, (variable) => hourly[variable]?.[index]),
      ...renameValues(HOURLY_PERIOD, (variable) => hourly[variable]?.[next]),
    };
  });
}

const daysOf = ({ daily }: Validated<typeof DAILY_RESPONSE>): RawDay[] =>
  daily.time.map((date, index) => ({
    date,
    ...renameValues(DAILY, (name) => daily[name]?.[index]),
  }));
