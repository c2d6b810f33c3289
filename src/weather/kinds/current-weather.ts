import { isObject } from '../../base/is-object.js';
import { currentKind } from './current-kind.js';
import { nullable, type Quantities } from './values.js';

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

function isStation(input: unknown): input is Station {
  return (
    isObject(input) &&
    isText(input['id']) &&
    isText(input['name']) &&
    isNumber(input['distance_km']) &&
    nullable(isNumber)(input['elevation'])
  );
}

export const CURRENT_QUANTITIES = {
  hasCode: true,
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

/** The current weather. Values that no station measured have no station. */
export const CURRENT_WEATHER = currentKind<typeof CURRENT_QUANTITIES, { station: Station | null }>(
  'weather',
  CURRENT_QUANTITIES,
  { station: nullable(isStation) },
);
