import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { conditionOf } from '../../weather/conditions.js';
import { MAX_FORECAST_DAYS } from '../../weather/daily-forecast.js';
import type { RawDay } from '../daily-values.js';
import { probability, timeZoneName, type Maybe } from '../weather-values.js';

/** A response with daily values. Each array has one item per day. */
interface DailyResponse {
  timezone: string;
  daily: {
    time: string[];
    temperature_2m_min: (number | null)[];
    temperature_2m_max: (number | null)[];
    weather_code: (number | null)[];
    precipitation_probability_max?: (number | null)[];
    sunrise?: (string | null)[];
    sunset?: (string | null)[];
  };
}

/**
 * The query for a daily forecast (https://open-meteo.com/en/docs, "Daily Parameter Definition"). `weather_code` is that
 * of the most severe weather of the day. A call with at most ten variables and two weeks counts as one call
 * (https://open-meteo.com/en/pricing).
 */
export const DAILY_QUERY = {
  daily:
    'weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max,sunrise,sunset',
  forecast_days: String(MAX_FORECAST_DAYS),
  timezone: 'auto',
};

const date = Joi.string().pattern(/^\d{4}-\d\d-\d\d$/);
const time = Joi.string()
  .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  .allow(null);
const number = Joi.number().allow(null);
/** The service has at most sixteen days. */
const perDay = (item: Joi.Schema) => atMost(16, Joi.array().items(item));

export const DAILY_RESPONSE = Joi.object<DailyResponse>({
  timezone: timeZoneName.required(),
  daily: Joi.object({
    time: perDay(date).required(),
    temperature_2m_min: perDay(number).required(),
    temperature_2m_max: perDay(number).required(),
    weather_code: perDay(number).required(),
    precipitation_probability_max: perDay(probability),
    sunrise: perDay(time),
    sunset: perDay(time),
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
      ...sunTimes(daily.sunrise?.[index], daily.sunset?.[index]),
    };
  });
}

/**
 * Sunrise and sunset, unless the sun does not rise or does not set. On a day of polar night, the service reports midnight
 * as both; on a day of polar day, it reports midnight and the next midnight (open-meteo/open-meteo, SunRiseSet.swift).
 */
function sunTimes(sunrise: Maybe<string>, sunset: Maybe<string>) {
  const isPolar = [sunrise, sunset].every((time) => time?.endsWith('T00:00'));
  return isPolar ? { sunrise: undefined, sunset: undefined } : { sunrise, sunset };
}
