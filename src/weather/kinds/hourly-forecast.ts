import { HOURS, seriesKind } from './series.js';
import type { Quantities, Values } from './values.js';

const IN_THE_HOUR = 'In the hour that begins at `time`.';

export const HOURLY_QUANTITIES = {
  hasCode: true,
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

/** Values at `time`. Precipitation, its probability, gusts, and code are for the hour from then. */
export type HourlyWeather = Values<typeof HOURLY_QUANTITIES> & { time: number };

export const MAX_FORECAST_HOURS = 168;
/** One day more than a response can have, so that an entry has enough hours for a day. */
export const FETCHED_HOURS = MAX_FORECAST_HOURS + 24;

/** The weather of the next hours: as many as the provider has. */
export const HOURLY_FORECAST = seriesKind<HourlyWeather, number>({
  name: 'hourly',
  granularity: HOURS,
  quantities: HOURLY_QUANTITIES,
  maxSteps: FETCHED_HOURS,
});
