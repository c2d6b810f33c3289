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
  type HourlyWeather,
} from '../weather/hourly-forecast.js';
import { addDays, isDate, isInstant, localDate } from '../weather/local-time.js';
import { createMoon } from '../weather/moon.js';
import { seriesOf } from '../weather/series.js';
import { sunTimes } from '../weather/sun.js';
import type { Point } from '../weather/types.js';
import { clean, type RawValues } from '../weather/values.js';
import { assertPresent } from './present.js';

/** What a provider reports for an instant, in milliseconds since the Unix epoch; NaN if the response does not have it. */
export interface RawTime extends RawValues {
  time: number;
}

/** What a provider reports for a local date, as `2026-11-24`. */
export interface RawDay extends RawValues {
  date: string;
}

/** Where the data is for. */
export interface Zone {
  point: Point;
  /** IANA name. */
  timezone: string;
}

/** No provider has more days. A date after them is a mistake. */
const MAX_DAYS_AHEAD = 16;

/**
 * Returns current weather as the public contract requires.
 * @param now the present, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the values are not of the present, or a required value is missing or implausible
 */
export function toCurrent(upstream: string, raw: RawTime, now: number): CurrentWeather {
  assertPresent(upstream, raw.time, now);
  const cleaned = clean(CURRENT_QUANTITIES, raw);
  if ('values' in cleaned) return { time: raw.time, ...cleaned.values };
  throw new UpstreamError(upstream, 'no_data', `no plausible ${cleaned.missing}`);
}

/**
 * Returns the days from today on as the public contract requires, in the order of their dates, and adds sun and moon. A
 * day that lacks a required value is left out. Of several days with one date, the first complete one remains.
 * @param now the present, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no day is left
 */
export function toDaily(
  upstream: string,
  { point, timezone }: Zone,
  raw: RawDay[],
  now: number,
): DailyForecast {
  const today = localDate(timezone, now) ?? '';
  const last = addDays(today, MAX_DAYS_AHEAD);
  const moonOn = createMoon(point, timezone);
  const isNext = ({ date }: RawDay) => isDate(date) && date >= today && date <= last;
  const days = firstOfEach(raw.filter(isNext), 'date', (each) => clean(DAILY_QUANTITIES, each))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, FETCHED_DAYS)
    .map((day): DailyWeather => {
      const { date } = day;
      return { ...day, ...sunTimes(point, timezone, date), ...moonOn(date) };
    });
  if (days.length > 0) return seriesOf(DAYS, timezone, days);
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete day from today on');
}

/**
 * Returns the hours from the present one on as the public contract requires, in the order of time. An hour that lacks a required
 * value is left out, and so is one that is over, or that begins after the hours that are fetched. Of several hours with one
 * time, the first complete one remains.
 * @param now the present, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no hour is left
 */
export function toHourly(
  upstream: string,
  timezone: string,
  raw: RawTime[],
  now: number,
): HourlyForecast {
  const end = now + FETCHED_HOURS * HOUR_MS;
  const isNext = ({ time }: RawTime) => isInstant(time) && time + HOUR_MS > now && time < end;
  const hours: HourlyWeather[] = firstOfEach(raw.filter(isNext), 'time', (each) =>
    clean(HOURLY_QUANTITIES, each),
  )
    .sort((a, b) => a.time - b.time)
    .slice(0, FETCHED_HOURS);
  if (hours.length > 0) return seriesOf(HOURS, timezone, hours);
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete hour from now on');
}

/** The first complete step of each date or time, with it. */
function firstOfEach<Name extends string, Raw extends Record<Name, unknown>, V extends object>(
  steps: Raw[],
  name: Name,
  cleaned: (raw: Raw) => { values: V } | { missing: string },
): (V & Pick<Raw, Name>)[] {
  const first = new Map<unknown, V & Pick<Raw, Name>>();
  for (const raw of steps) {
    const step = first.has(raw[name]) ? undefined : cleaned(raw);
    if (step && 'values' in step) {
      first.set(raw[name], { ...step.values, [name]: raw[name] } as V & Pick<Raw, Name>);
    }
  }
  return [...first.values()];
}
