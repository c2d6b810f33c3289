import type { Kind } from './kind.js';
import { isInstant } from '../time/local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { isObject } from '../../base/is-object.js';
import { checksOf, nullable, readMembers, type Quantities, type Values } from './values.js';

/** The station that measured current values. */
export interface Station {
  /** Such as the ICAO code of an airport. */
  id: string;
  name: string;
  /** From the point of the request, with one decimal. */
  distance_km: number;
  /** Meters above the sea. */
  elevation: number | null;
}

/** The longest text of a station. */
const MAX_TEXT = 100;
const isText = (value: unknown) => typeof value === 'string' && value.length <= MAX_TEXT;
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

/** Whether a value is a station. */
function isStation(input: unknown): input is Station {
  return (
    isObject(input) &&
    isText(input['id']) &&
    isText(input['name']) &&
    isNumber(input['distance_km']) &&
    nullable(isNumber)(input['elevation'])
  );
}

/**
 * The values at an instant: `time` is in milliseconds since the Unix epoch. Values that no station
 * measured have no station.
 */
type CurrentValues<Q extends Quantities> = Values<Q> & { time: number; station: Station | null };

/** A kind whose values are for the current time. */
export interface CurrentKind<Q extends Quantities> extends Kind<PointRequest, CurrentValues<Q>> {
  quantities: Q;
}

/** Defines a kind whose values are for the current time. */
export function currentKind<const Q extends Quantities>(
  name: string,
  quantities: Q,
): CurrentKind<Q> {
  const checks = { time: isInstant, ...checksOf(quantities), station: nullable(isStation) };
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
