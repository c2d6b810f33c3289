import { HOUR_MS } from './durations.js';
import type { Kind } from './kind.js';
import { isDate, isLocalTime, localDate, noonOf } from './local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { firstLeft, readSeries, type Series, type SeriesFormat } from './series.js';
import type { Moon } from './moon.js';
import type { SunTimes } from './sun.js';
import { checksOf, nullable, type Quantities, type Values } from './values.js';

export const DAILY_QUANTITIES = {
  required: ['temperature_min', 'temperature_max'],
  optional: [
    'precipitation_probability',
    'precipitation',
    'wind_speed_max',
    'wind_gusts_max',
    'uv_index_max',
    'snowfall',
    'day_length',
    'moon_phase',
  ],
} as const satisfies Quantities;

/**
 * The weather of one day: `date` is the local date, as `2026-11-24`, and `weather_code` that of the most severe weather of the
 * day.
 */
export type DailyWeather = Values<typeof DAILY_QUANTITIES> &
  Pick<SunTimes, 'sunrise' | 'sunset'> &
  Pick<Moon, 'moonrise' | 'moonset'> & { date: string };

/** The weather of the next days: as many as the provider has, in the order of their dates. */
export type DailyForecast = Series<DailyWeather>;

export const MAX_FORECAST_DAYS = 14;
/**
 * The number of days that every fetch requests. One entry serves every number of days, also after midnight: until then, one day
 * more is in it than a response can have.
 */
export const FETCHED_DAYS = MAX_FORECAST_DAYS + 1;

export const DAYS: SeriesFormat<DailyWeather> = {
  order: 'date',
  step: {
    date: isDate,
    ...checksOf(DAILY_QUANTITIES),
    sunrise: nullable(isLocalTime),
    sunset: nullable(isLocalTime),
    moonrise: nullable(isLocalTime),
    moonset: nullable(isLocalTime),
  },
  most: FETCHED_DAYS,
};

export const DAILY_FORECAST: Kind<PointRequest, DailyForecast> = {
  name: 'forecast',
  ...ABOUT_POINT,
  readValue: (input) => readSeries(DAYS, input),
  /** Accurate to the hour: on a day of a clock change, midnight can be an hour earlier or later. */
  untilOver({ timezone, date }, now) {
    const last = date.at(-1);
    return last === undefined ? 0 : Math.max(0, noonOf(timezone, last) + 12 * HOUR_MS - now);
  },
};

/**
 * The index of the first day that is not over yet: see `firstLeft`. If this version of Node.js does not know the time zone, no
 * day is over.
 * @param now milliseconds since the Unix epoch
 */
export function firstDay({ timezone, date }: DailyForecast, now: number): number {
  const today = localDate(timezone, now) ?? '';
  return firstLeft(date, (each) => each >= today);
}
