import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { conditionOf } from '../../weather/conditions.js';
import { MAX_FORECAST_DAYS } from '../../weather/daily-forecast.js';
import type { RawDay } from '../daily-values.js';
import { maybeNumber, timeZoneName } from '../weather-values.js';

/** The variables of a call. With at most ten of them and two weeks, it counts as one call (https://open-meteo.com/en/pricing). */
const VARIABLES = [
  'weather_code',
  'temperature_2m_max',
  'temperature_2m_min',
  'precipitation_sum',
  'precipitation_probability_max',
  'wind_speed_10m_max',
  'wind_gusts_10m_max',
  'uv_index_max',
] as const;

type Values = (number | null)[];

/** A response with daily values. Each array has one item per day. */
interface DailyResponse {
  timezone: string;
  daily: {
    time: string[];
    temperature_2m_min: Values;
    temperature_2m_max: Values;
    weather_code: Values;
  } & Partial<Record<(typeof VARIABLES)[number], Values>>;
}

/**
 * The query for a daily forecast (https://open-meteo.com/en/docs, "Daily Parameter Definition"). `weather_code` is that
 * of the most severe weather of the day.
 *
 * The service knows one offset from UTC for a whole response, that of today (open-meteo/open-meteo, issue 488). Its dates are
 * right on days of a clock change, because they are dates of the calendar. Its sunrise and sunset are not, so they are not
 * requested.
 */
export const DAILY_QUERY = {
  daily: VARIABLES.join(','),
  forecast_days: String(MAX_FORECAST_DAYS),
  wind_speed_unit: 'kmh',
};

const date = Joi.string().pattern(/^\d{4}-\d\d-\d\d$/);
/** The service has at most sixteen days. */
const perDay = (item: Joi.Schema) => atMost(16, Joi.array().items(item));

export const DAILY_RESPONSE = Joi.object<DailyResponse>({
  timezone: timeZoneName.required(),
  daily: Joi.object({
    time: perDay(date).required(),
    ...Object.fromEntries(VARIABLES.map((name) => [name, perDay(maybeNumber)])),
    temperature_2m_min: perDay(maybeNumber).required(),
    temperature_2m_max: perDay(maybeNumber).required(),
    weather_code: perDay(maybeNumber).required(),
  }).required(),
});

/** The days of a response, in their order. */
export function daysOfResponse({ daily }: DailyResponse): RawDay[] {
  return daily.time.map((date, index) => {
    const code = daily.weather_code[index];
    return {
      date,
      min: daily.temperature_2m_min[index],
      max: daily.temperature_2m_max[index],
      condition: code == null ? undefined : conditionOf(code),
      precipitationProbability: daily.precipitation_probability_max?.[index],
      precipitation: daily.precipitation_sum?.[index],
      windSpeedMax: daily.wind_speed_10m_max?.[index],
      windGustsMax: daily.wind_gusts_10m_max?.[index],
      uvIndexMax: daily.uv_index_max?.[index],
    };
  });
}
