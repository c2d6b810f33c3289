import { HOUR_MS } from './durations.js';
import type { Kind } from './kind.js';
import { isInstant } from './local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { firstLeft, readSeries, type Series, type SeriesFormat } from './series.js';
import { checksOf, type Quantities, type Values } from './values.js';

const IN_THE_HOUR = 'In the hour that begins at `time`.';

export const HOURLY_QUANTITIES = {
  required: ['temperature'],
  optional: [
    'feels_like',
    'humidity',
    'cloud_cover',
    'precipitation',
    'precipitation_probability',
    'wind_speed',
    'wind_direction',
    'wind_gusts',
  ],
  notes: {
    precipitation: IN_THE_HOUR,
    precipitation_probability: IN_THE_HOUR,
    wind_gusts: 'The highest in the hour that begins at `time`.',
  },
} as const satisfies Quantities;

/**
 * The weather of one hour: `time` is its beginning in milliseconds since the Unix epoch. Values are those at this instant.
 * Precipitation, its probability, gusts, and the weather code are those of the hour that begins then.
 */
export type HourlyWeather = Values<typeof HOURLY_QUANTITIES> & { time: number };

/** The weather of the next hours: as many as the provider has, in the order of time. */
export type HourlyForecast = Series<HourlyWeather>;

export const MAX_FORECAST_HOURS = 168;
/**
 * The number of hours that every fetch requests. One entry serves every number of hours for a day: until then, more hours are in it
 * than a response can have.
 */
export const FETCHED_HOURS = MAX_FORECAST_HOURS + 24;

export const HOURS: SeriesFormat<HourlyWeather> = {
  order: 'time',
  step: { time: isInstant, ...checksOf(HOURLY_QUANTITIES) },
  most: FETCHED_HOURS,
};

export const HOURLY_FORECAST: Kind<PointRequest, HourlyForecast> = {
  name: 'hourly',
  ...ABOUT_POINT,
  readValue: (input) => readSeries(HOURS, input),
  untilOver: ({ time }, now) => Math.max(0, (time.at(-1) ?? 0) + HOUR_MS - now),
};

/** The index of the current hour, or of the first one after it: see `firstLeft`. @param now milliseconds since the Unix epoch */
export const firstHour = ({ time }: HourlyForecast, now: number): number =>
  firstLeft(time, (each) => each + HOUR_MS > now);
