import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { conditionOf } from '../../weather/conditions.js';
import { HOUR_MS } from '../../weather/durations.js';
import { MAX_FORECAST_HOURS } from '../../weather/hourly-forecast.js';
import type { RawHour } from '../hourly-values.js';
import { instantOfSeconds, maybeNumber } from '../weather-values.js';

/** The variables of a call. Ten of them count as one call (https://open-meteo.com/en/pricing). */
const VARIABLES = [
  'temperature_2m',
  'relative_humidity_2m',
  'apparent_temperature',
  'precipitation',
  'precipitation_probability',
  'weather_code',
  'cloud_cover',
  'wind_speed_10m',
  'wind_direction_10m',
  'wind_gusts_10m',
] as const;

type Values = (number | null)[];

/** A response with hourly values. Each array has one item per hour. */
interface HourlyResponse {
  hourly: {
    /** Seconds since the Unix epoch. */
    time: Values;
    temperature_2m: Values;
    weather_code: Values;
  } & Partial<Record<(typeof VARIABLES)[number], Values>>;
}

/**
 * The query for hours from the present one on (https://open-meteo.com/en/docs, "Hourly Parameter Definition").
 *
 * The service knows one offset from UTC for a whole response (open-meteo/open-meteo, issue 488), and in a zone with a half
 * hour it would shift the values. So the hours are requested in UTC. One hour more than needed: see `hoursOfResponse`.
 */
export const HOURLY_QUERY = {
  hourly: VARIABLES.join(','),
  forecast_hours: String(MAX_FORECAST_HOURS + 1),
  wind_speed_unit: 'kmh',
  timezone: 'GMT',
  timeformat: 'unixtime',
};

/** Twice as many as are requested. */
const perHour = atMost(100, Joi.array().items(maybeNumber));

export const HOURLY_RESPONSE = Joi.object<HourlyResponse>({
  hourly: Joi.object({
    time: perHour.required(),
    ...Object.fromEntries(VARIABLES.map((name) => [name, perHour])),
    temperature_2m: perHour.required(),
    weather_code: perHour.required(),
  }).required(),
});

/**
 * The hours of a response.
 *
 * Precipitation, its probability, and gusts of the service are those of the hour before a time, so the values of an hour
 * that begins at a time are those of the next time. The weather code is taken from there, too: where the service computes
 * it, it is that of the precipitation with the same time, and text and amount must agree.
 */
export function hoursOfResponse({ hourly }: HourlyResponse): RawHour[] {
  const times = hourly.time.map(instantOfSeconds);
  const indexes = new Map(times.map((time, index) => [time, index]));
  return times.map((time, now) => {
    // An index that no array has.
    const next = indexes.get(time + HOUR_MS) ?? -1;
    const code = hourly.weather_code[next];
    return {
      time,
      temperature: hourly.temperature_2m[now],
      condition: code == null ? undefined : conditionOf(code),
      feelsLike: hourly.apparent_temperature?.[now],
      humidity: hourly.relative_humidity_2m?.[now],
      cloudCover: hourly.cloud_cover?.[now],
      precipitation: hourly.precipitation?.[next],
      precipitationProbability: hourly.precipitation_probability?.[next],
      windSpeed: hourly.wind_speed_10m?.[now],
      windDirection: hourly.wind_direction_10m?.[now],
      windGusts: hourly.wind_gusts_10m?.[next],
    };
  });
}
