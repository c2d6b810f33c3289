import { UpstreamError } from '../../base/errors.js';
import type { DailyForecast } from '../../weather/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../../weather/durations.js';
import { MAX_FORECAST_HOURS, type HourlyForecast } from '../../weather/hourly-forecast.js';
import type { Point, Weather } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { toHourlyForecast, type RawHour } from '../hourly-values.js';
import { presentRange } from '../present.js';
import { timeZoneAt } from '../time-zone.js';
import { feelsLikeOf, toWeather } from '../weather-values.js';
import {
  checkedStep,
  instantValues,
  LONGEST_PERIOD_HOURS,
  shortestPeriod,
  stepsOf,
  uncheckedSteps,
  type Series,
  type TimedStep,
} from './met-norway-series.js';

/** Milliseconds from now in which the steps of a daily forecast are used: seven dates, and the rest of today. */
const USED_MS = 8 * DAY_MS;

/**
 * The weather at an instant: that of the last step that has begun, or of the first one. Its precipitation is the forecast
 * for the hour that begins with the step.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no step is near enough, or the step lacks a value
 */
export function weatherAt(upstream: string, series: Series, now: number): Weather {
  const steps = uncheckedSteps(upstream, series, ...presentRange(now));
  const nearest = steps.findLast(({ at }) => at <= now) ?? steps[0];
  if (!nearest) throw new UpstreamError(upstream, 'no_data', 'no forecast for this hour');
  const { at, step } = checkedStep(upstream, nearest);
  const values = instantValues(step);
  const raw = {
    at,
    ...values,
    condition: shortestPeriod(step)?.condition,
    feelsLike: feelsLikeOf(values),
    precipitation: step.data.next_1_hours?.details?.precipitation_amount,
  };
  return toWeather(upstream, raw, now);
}

/**
 * The daily forecast of a series, from the step for an instant on. The service does not report the time zone.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the series has no complete day
 */
export function dailyForecastOf(
  upstream: string,
  series: Series,
  point: Point,
  now: number,
): DailyForecast {
  const timeZone = timeZoneAt(point);
  const from = now - LONGEST_PERIOD_HOURS * HOUR_MS;
  const steps = stepsOf(upstream, series, from, now + USED_MS)
    .map(toForecastStep)
    .filter(({ at, lengthMs }) => at + lengthMs > now);
  return toForecast(upstream, { point, timeZone, days: daysOfSteps(steps, timeZone) }, now);
}

/** The extremes of a period of six hours matter where the next step is as far away. Periods of one hour have none. */
function toForecastStep({ at, step }: TimedStep): ForecastStep {
  const { temperature, windSpeed, windGusts } = instantValues(step);
  const period = shortestPeriod(step);
  return {
    ...{ at, temperature, windSpeed, windGusts },
    lengthMs: period?.lengthMs ?? 0,
    extremes: [period?.air_temperature_min, period?.air_temperature_max],
    condition: period?.condition,
    precipitationProbability: period?.probability_of_precipitation,
    precipitation: period?.precipitation_amount,
  };
}

/**
 * The hourly forecast of a series: the steps that have values for the hour after them. Steps of six hours have none, and
 * no hour between two steps is invented.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the series has no complete hour
 */
export function hourlyForecastOf(
  upstream: string,
  series: Series,
  point: Point,
  now: number,
): HourlyForecast {
  const to = now + MAX_FORECAST_HOURS * HOUR_MS;
  const hours = stepsOf(upstream, series, now - HOUR_MS, to).map(toHour);
  return toHourlyForecast(upstream, timeZoneAt(point), hours, now);
}

function toHour({ at, step }: TimedStep): RawHour {
  const values = instantValues(step);
  const period = shortestPeriod(step);
  const hour = period?.lengthMs === HOUR_MS ? period : undefined;
  return {
    time: at,
    ...values,
    // Without a condition, the hour is left out.
    condition: hour?.condition,
    feelsLike: feelsLikeOf(values),
    precipitation: hour?.precipitation_amount,
    precipitationProbability: hour?.probability_of_precipitation,
  };
}
