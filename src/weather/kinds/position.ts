import { isObject } from '../../base/is-object.js';
import type { Kind } from './kind.js';
import { isTimeZone } from '../time/local-time.js';
import { isPoint } from './point.js';
import type { Point, ZonedPoint } from '../types.js';

/** A name that the gazetteer does not contain. */
interface PositionRequest {
  city: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** The same for every spelling of city and country. */
  name: string;
}

/** A position, and the IANA name of its time zone, if the geocoder knows it. */
export type Position = Point & Partial<ZonedPoint>;

/** The position of a name. Null: unknown to the geocoder, cached as well (negative caching). */
export const POSITION: Kind<PositionRequest, Position | null> = {
  name: 'position',
  keyOf: ({ name }) => name,
  isRequest: (input): input is PositionRequest =>
    isObject(input) &&
    [input['city'], input['countryCode'], input['name']].every((text) => typeof text === 'string'),
  readValue(input) {
    if (input === null) return null;
    if (!isPoint(input)) return undefined;
    const { latitude, longitude, timeZone } = input as Position;
    return { latitude, longitude, ...(isTimeZone(timeZone) && { timeZone }) };
  },
};
