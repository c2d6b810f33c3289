import { InvalidInputError } from '../base/errors.js';
import type { CleanName } from '../text/place-names.js';
import type { Point } from '../weather/types.js';
import { nameFaults, readName, validName } from './name-parameter.js';
import type { FaultRow } from './parameters.js';

/** The rules for locations, and the errors for input that breaks them. A schema library costs more than a cache hit. */

/** The names of a city and its country. */
export interface PlaceInput {
  city: CleanName;
  country: CleanName;
}

/**
 * Returns city and country of a query string or a JSON body.
 * @param what what its members are called in the message of the error
 * @throws InvalidInputError
 */
export function placeFrom(
  given: Record<string, unknown>,
  what: 'parameters' | 'fields',
): PlaceInput {
  const city = readName('city', given['city']);
  const country = readName('country', given['country']);
  // A missing value is reported before an invalid one.
  if (city === undefined || country === undefined) throw missing(what, 'city', 'country');
  return { city: validName(city), country: validName(country) };
}

/** The errors of `placeFrom`, and of a place that does not exist. */
export const PLACE_FAULTS: FaultRow[] = [
  ...nameFaults(['city', 'country'], true),
  { error: 'Geocoding failed', condition: 'there is no such place; `Link` has similar ones' },
];

/** Returns latitude and longitude of a query string. @throws InvalidInputError */
export function pointFromQuery({ lat, lon }: Record<string, unknown>): Point {
  if (isMissingNumber(lat) || isMissingNumber(lon)) throw missing('parameters', 'lat', 'lon');
  return {
    latitude: degreesOf('lat', lat, DEGREES.lat.limit),
    longitude: degreesOf('lon', lon, DEGREES.lon.limit),
  };
}

/** The coordinates as query parameters: the highest absolute value, and the name. */
export const DEGREES = {
  lat: { limit: 90, what: 'Latitude' },
  lon: { limit: 180, what: 'Longitude' },
};

/** The errors of `pointFromQuery`, and of a point far from any place. */
export const POINT_FAULTS: FaultRow[] = [
  missingRow('parameters', 'lat or lon is missing or blank'),
  {
    error: 'Invalid coordinates',
    condition: 'no decimal number, out of range, or given more than once',
  },
  { error: 'Geocoding failed', condition: 'no place is near, as on the open sea' },
];

/** The row of the error for input that lacks a member. */
export function missingRow(what: 'parameters' | 'fields', condition: string): FaultRow {
  return { error: `Missing required ${what}`, condition };
}

function missing(what: 'parameters' | 'fields', a: string, b: string): InvalidInputError {
  return new InvalidInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

function isMissingNumber(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/**
 * A decimal number as programs print it: `.5`, `5.`, `1e-7`. Spaces around it do not matter: an unescaped `+` in a query
 * is a space.
 */
const DECIMAL = /^ *[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? *$/;

/** Returns a number of degrees. @throws InvalidInputError */
function degreesOf(field: string, value: unknown, limit: number): number {
  const invalid = (reason: string) =>
    new InvalidInputError('Invalid coordinates', `${field} ${reason}`);
  if (typeof value !== 'string') throw invalid('must be given once');
  if (!DECIMAL.test(value)) throw invalid('must be a number in decimal degrees');
  const number = Number(value);
  if (Math.abs(number) > limit) throw invalid(`must be between -${limit} and ${limit}`);
  return number;
}
