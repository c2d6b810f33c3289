import type { CurrentWeather } from '../../weather/current-weather.js';
import type { DailyForecast } from '../../weather/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../../weather/durations.js';
import { FETCHED_HOURS, type HourlyForecast } from '../../weather/hourly-forecast.js';
import type { ZonedPoint } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toCurrent, toDaily, toHourly, type RawTime } from '../kind-values.js';
import { currentRange } from '../reference-time.js';
import type { TimedStep } from '../steps.js';
import {
  instantValues,
  LONGEST_PERIOD_HOURS,
  NAME,
  shortestPeriod,
  stepsOf,
  type Step,
  type Series,
} from './met-norway-series.js';

/** Milliseconds from now in which the steps of a daily forecast are used. The service has steps for ten days. */
const USED_MS = 11 * DAY_MS;

/**
 * The weather at an instant: that of the last step that has begun, or of the first one. Its precipitation is the forecast
 * for the hour that begins with the step.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no step is near enough, or the step lacks a value
 */
export function weatherAt(series: Series, now: number): CurrentWeather {
  const steps = stepsOf(series, ...currentRange(now));
  const nearest = steps.findLast(({ time }) => time <= now) ?? steps[0];
  return toCurrent(NAME, nearest && toCurrentStep(nearest), now);
}

function toCurrentStep({ time, step }: TimedStep<Step>): RawTime {
  return {
    time,
    ...instantValues(step),
    weather_code: shortestPeriod(step)?.values.weather_code,
    precipitation: step.data.next_1_hours?.details?.precipitation_amount,
  };
}

/**
 * The daily forecast of a series, from the step for an instant on.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the series has no complete day
 */
export function dailyForecastOf(series: Series, point: ZonedPoint, now: number): DailyForecast {
  const earliest = now - LONGEST_PERIOD_HOURS * HOUR_MS;
  const steps = stepsOf(series, earliest, now + USED_MS)
    .map(({ time, step }): ForecastStep => {
      // The extremes of six hours matter where the next step is as far away. Periods of one hour have none.
      const { lengthMs = 0, extremes = [], values } = shortestPeriod(step) ?? {};
      return { time, from: time, to: time + lengthMs, extremes, ...instantValues(step), ...values };
    })
    .filter(({ to }) => to > now);
  return toDaily(NAME, point, daysOfSteps(steps, point.timeZone), now);
}

/**
 * The hourly forecast of a series: the steps that have values for the hour after them. Steps of six hours have none, and
 * no hour between two steps is invented.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the series has no complete hour
 */
export function hourlyForecastOf(series: Series, point: ZonedPoint, now: number): HourlyForecast {
  const to = now + FETCHED_HOURS * HOUR_MS;
  const hours = stepsOf(series, now - HOUR_MS, to).map(({ time, step }) => {
    const period = shortestPeriod(step);
    // Without a weather code, the hour is left out.
    const ofHour = period?.lengthMs === HOUR_MS ? period.values : {};
    return { time, ...instantValues(step), ...ofHour };
  });
  return toHourly(NAME, point, hours, now);
}
