import type { Kind } from './kind.js';
import { isInstant } from './local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { checksOf, readMembers, type Quantities, type Values } from './values.js';

export const CURRENT_QUANTITIES = {
  required: ['temperature', 'humidity', 'wind_speed'],
  optional: [
    'feels_like',
    'dew_point',
    'pressure',
    'cloud_cover',
    'precipitation',
    'wind_direction',
    'wind_gusts',
    'visibility',
    'uv_index',
  ],
  notes: { precipitation: 'Per hour: the mean over the interval that the provider reports.' },
} as const satisfies Quantities;

/** The current weather. `time` is the instant that the values are for, in milliseconds since the Unix epoch. */
export type CurrentWeather = Values<typeof CURRENT_QUANTITIES> & { time: number };

export const CURRENT_WEATHER: Kind<PointRequest, CurrentWeather> = {
  name: 'weather',
  ...ABOUT_POINT,
  readValue: (input) =>
    readMembers<CurrentWeather>(input, { time: isInstant, ...checksOf(CURRENT_QUANTITIES) }),
};
