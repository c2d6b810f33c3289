import type { Kind } from './kind.js';
import { isInstant } from '../time/local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { checksOf, readMembers, type Quantities, type Values } from './values.js';

/** The values at an instant: `time` is in milliseconds since the Unix epoch. */
type CurrentValues<Q extends Quantities> = Values<Q> & { time: number };

/** A kind whose values are for the current time. */
export interface CurrentKind<Q extends Quantities> extends Kind<PointRequest, CurrentValues<Q>> {
  quantities: Q;
}

/** Defines a kind whose values are for the current time. */
export function currentKind<const Q extends Quantities>(
  name: string,
  quantities: Q,
): CurrentKind<Q> {
  const checks = { time: isInstant, ...checksOf(quantities) };
  return {
    name,
    quantities,
    ...ABOUT_POINT,
    readValue: (input) => readMembers<CurrentValues<Q>>(input, checks),
  };
}

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

export const CURRENT_WEATHER = currentKind('weather', CURRENT_QUANTITIES);
