import { DAY_MS, HOUR_MS } from '../../weather/time/durations.js';
import { FETCHED_HOURS } from '../../weather/kinds/hourly-forecast.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import type { RawDay, RawTime } from '../kind-values.js';
import { currentRange } from '../reference-time.js';
import {
  instantValues,
  LONGEST_PERIOD_HOURS,
  shortestPeriod,
  stepsOf,
  type Series,
} from './met-norway-series.js';

/** Milliseconds from now in which the steps of a daily forecast are used. The service has steps for ten days. */
const USED_MS = 11 * DAY_MS;

/**
 * The weather at an instant: that of the last step that has begun, or of the first one; undefined if none is near enough. Its
 * precipitation is the forecast for the hour that begins with the step.
 * @param now milliseconds since the Unix epoch
 */
export function currentOf(series: Series, now: number): RawTime | undefined {
  const steps = stepsOf(series, ...currentRange(now));
  const nearest = steps.findLast(({ time }) => time <= now) ?? steps[0];
  if (!nearest) return undefined;
  const { time, step } = nearest;
  return {
    time,
    ...instantValues(step),
    weather_code: shortestPeriod(step)?.values.weather_code,
    precipitation: step.data.next_1_hours?.details?.precipitation_amount,
  };
}

/** The days of a series, from the step for an instant on. */
export function daysOf(series: Series, timeZone: string, now: number): RawDay[] {
  const earliest = now - LONGEST_PERIOD_HOURS * HOUR_MS;
  const steps = stepsOf(series, earliest, now + USED_MS)
    .map(({ time, step }): ForecastStep => {
      // The extremes of six hours matter where the next step is as far away. Periods of one hour have none.
      const period = shortestPeriod(step);
      const times = { time, from: time, to: time + (period?.lengthMs ?? 0) };
      const extremes = period?.extremes ?? [];
      return { ...times, extremes, ...instantValues(step), ...period?.values };
    })
    .filter(({ to }) => to > now);
  return daysOfSteps(steps, timeZone);
}

/**
 * The hours of a series: the steps that have values for the hour after them. Steps of six hours have none, and no hour between
 * two steps is invented.
 */
export function hoursOf(series: Series, now: number): RawTime[] {
  return stepsOf(series, now - HOUR_MS, now + FETCHED_HOURS * HOUR_MS).map(({ time, step }) => {
    const period = shortestPeriod(step);
    // Without a weather code, the hour is left out.
    const ofHour = period?.lengthMs === HOUR_MS ? period.values : {};
    return { time, ...instantValues(step), ...ofHour };
  });
}
