import { UpstreamError } from '../base/errors.js';
import { CURRENT_QUANTITIES, type CurrentWeather } from '../weather/current-weather.js';
import {
  DAILY_QUANTITIES,
  DAYS,
  FETCHED_DAYS,
  type DailyForecast,
  type DailyWeather,
} from '../weather/daily-forecast.js';
import { HOUR_MS } from '../weather/durations.js';
import {
  FETCHED_HOURS,
  HOURLY_QUANTITIES,
  HOURS,
  type HourlyForecast,
} from '../weather/hourly-forecast.js';
import { addDays, isDate, isInstant, localDate } from '../weather/local-time.js';
import { createMoon } from '../weather/moon.js';
import { seriesOf } from '../weather/series.js';
import { sunTimes } from '../weather/sun.js';
import type { ZonedPoint } from '../weather/types.js';
import { clean, type Quantities, type RawValues, type Values } from '../weather/values.js';
import { assertCurrent } from './reference-time.js';

/** What a provider reports for an instant, in milliseconds since the Unix epoch; NaN if the response does not have it. */
export interface RawTime extends RawValues {
  time: number;
}

/** What a provider reports for a local date, as `2026-11-24`. */
export interface RawDay extends RawValues {
  date: string;
}

/** No provider has more days. A date after them is a mistake. */
const MAX_DAYS_AHEAD = 16;

/**
 * Returns current weather as the public contract requires.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the values are not current, or a required value is missing or implausible
 */
export function toCurrent(upstream: string, raw: RawTime | undefined, now: number): CurrentWeather {
  if (!raw) throw new UpstreamError(upstream, 'no_data', 'no forecast for this hour');
  assertCurrent(upstream, raw.time, now);
  const cleaned = clean(CURRENT_QUANTITIES, raw);
  if ('values' in cleaned) return { time: raw.time, ...cleaned.values };
  throw new UpstreamError(upstream, 'no_data', `no plausible ${cleaned.missing}`);
}

/**
 * Returns the days from today on as the public contract requires, in the order of their dates, and adds sun and moon. A
 * day that lacks a required value is left out. Of several days with one date, the first complete one remains.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no day is left
 */
export function toDaily(
  upstream: string,
  point: ZonedPoint,
  raw: RawDay[],
  now: number,
): DailyForecast {
  const { timeZone } = point;
  const today = localDate(timeZone, now) ?? '';
  const last = addDays(today, MAX_DAYS_AHEAD);
  const moonOn = createMoon(point, timeZone);
  const isNext = ({ date }: RawDay) => isDate(date) && date >= today && date <= last;
  const steps = completeSteps(raw.filter(isNext), ({ date }) => date, DAILY_QUANTITIES);
  const days = steps.slice(0, FETCHED_DAYS).map(([date, values]): DailyWeather => ({
    ...{ date, ...values },
    ...{ ...sunTimes(point, timeZone, date), ...moonOn(date) },
  }));
  if (days.length > 0) return seriesOf(DAYS, timeZone, days);
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete day from today on');
}

/**
 * Returns the hours from the current one on as the public contract requires, in the order of time. An hour that lacks a required
 * value is left out, and so is one that is over, or that begins after the hours that are fetched. Of several hours with one
 * time, the first complete one remains.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no hour is left
 */
export function toHourly(
  upstream: string,
  { timeZone }: ZonedPoint,
  raw: RawTime[],
  now: number,
): HourlyForecast {
  const end = now + FETCHED_HOURS * HOUR_MS;
  const isNext = ({ time }: RawTime) => isInstant(time) && time + HOUR_MS > now && time < end;
  const steps = completeSteps(raw.filter(isNext), ({ time }) => time, HOURLY_QUANTITIES);
  const hours = steps.slice(0, FETCHED_HOURS).map(([time, values]) => ({ time, ...values }));
  if (hours.length > 0) return seriesOf(HOURS, timeZone, hours);
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete hour from now on');
}

/** The values of the first complete step of each date or time, with it, in their order. */
function completeSteps<Raw extends RawValues, At extends string | number, Q extends Quantities>(
  steps: Raw[],
  atOf: (step: Raw) => At,
  quantities: Q,
): [At, Values<Q>][] {
  const found = new Map<At, Values<Q>>();
  for (const step of steps) {
    const cleaned = found.has(atOf(step)) ? undefined : clean(quantities, step);
    if (cleaned && 'values' in cleaned) found.set(atOf(step), cleaned.values);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
