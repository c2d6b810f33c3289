import { InvalidInputError, MissingInputError } from '../../base/errors.js';
import { MAX_NAME_LENGTH, cleanName, type CleanName } from '../../text/place-names.js';
import { plainText } from '../../text/typography.js';
import { instead } from '../../text/not-a-name.js';
import type { Point } from '../../weather/types.js';

/** The rules for locations. A schema library would cost more than a cache hit. */

/** The parameters of a query, the members of a body, or the arguments of a tool, not validated. */
export type Input = Readonly<Record<string, unknown>>;

interface PlaceInput {
  city: CleanName;
  country: CleanName;
}

/** The titles of the errors for a name, after the name of the parameter or member. */
const NAME_FAULTS = {
  type: 'must be a string',
  length: 'is too long',
  characters: 'contains invalid characters',
};

/** The highest absolute value of each coordinate, in degrees. */
const COORDINATE_LIMITS = { lat: 90, lon: 180 };

/** A decimal number as programs print it: `.5`, `5.`, `1e-7`. A `+` in a query is a space. */
const DECIMAL = /^ *[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? *$/;

/** Returns city and country. @throws InvalidInputError */
export function placeFrom(input: Input, what: 'parameters' | 'fields'): PlaceInput {
  const { city, country } = input;
  // A missing value is reported before an invalid one.
  if (isMissing(city) || isMissing(country)) throw missing(what, 'city', 'country');
  return { city: nameFrom('city', city), country: nameFrom('country', country) };
}

/** Returns latitude and longitude. @throws InvalidInputError */
export function pointFrom({ lat, lon }: Input): Point {
  if (isBlank(lat) || isBlank(lon)) throw missing('parameters', 'lat', 'lon');
  return { latitude: degreesOf('lat', lat), longitude: degreesOf('lon', lon) };
}

/** A code of IATA or ICAO. */
const CODE = /^[A-Z]{3}$|^[A-Z][A-Z\d]{3}$/;

/** Returns the code of an airport in capital letters. @throws InvalidInputError */
export function codeFrom({ code }: Input): string {
  if (isBlank(code)) throw missing('parameters', 'code');
  if (typeof code !== 'string') {
    throw new InvalidInputError(`code ${NAME_FAULTS.type}`, 'code must be one string');
  }
  const plain = plainText(code).trim().toUpperCase();
  if (CODE.test(plain)) return plain;
  throw new InvalidInputError(
    'Invalid code',
    'The code of an airport has three letters (IATA, such as MUC) or four (ICAO, such as EDDM)',
  );
}

/** Returns the clean form of a value that is not missing. @throws InvalidInputError */
export function nameFrom(field: string, value: unknown): CleanName {
  const fault = (kind: keyof typeof NAME_FAULTS, message: string) =>
    new InvalidInputError(`${field} ${NAME_FAULTS[kind]}`, message);
  if (typeof value !== 'string') throw fault('type', `${field} must be one string`);
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  if (cleaned.fault === 'invalid_characters') {
    const rule = 'Only letters, spaces, hyphens and Unicode characters are allowed.';
    const advice = field === 'country' ? undefined : instead(value);
    throw fault('characters', [rule, `${cleaned.found} is not.`, advice].filter(Boolean).join(' '));
  }
  throw fault('length', `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`);
}

/** Creates the error for names of which at least one is missing. */
export function missing(what: 'parameters' | 'fields', ...names: string[]): MissingInputError {
  const quoted = names.map((name) => `'${name}'`).join(' and ');
  const rule = names.length > 1 ? `Both ${quoted} ${what} are` : `The parameter ${quoted} is`;
  return new MissingInputError(`Missing required ${what}`, `${rule} required`);
}

/** Whether a coordinate or a code is absent, or white space. */
const isBlank = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

/** Most values have a letter or a digit. */
const VISIBLE = /[\p{L}\p{N}]/u;

/** Whether a name is absent, or a text without a visible character. */
export function isMissing(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined || value === null;
  if (VISIBLE.test(value)) return false;
  const cleaned = cleanName(value);
  return !cleaned.ok && cleaned.fault === 'blank';
}

/** Whether a value is a number of degrees, or such a text. */
export function isDegrees(field: keyof typeof COORDINATE_LIMITS, value: unknown): boolean {
  return isDecimal(value) && Math.abs(Number(value)) <= COORDINATE_LIMITS[field];
}

const isDecimal = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));

/** @throws InvalidInputError */
function degreesOf(field: keyof typeof COORDINATE_LIMITS, value: unknown): number {
  if (isDegrees(field, value)) return Number(value);
  const limit = COORDINATE_LIMITS[field];
  let reason = `must be between -${limit} and ${limit}`;
  if (!isDecimal(value)) reason = 'must be a number in decimal degrees';
  if (typeof value === 'object') reason = 'must be given once';
  throw new InvalidInputError('Invalid coordinates', `${field} ${reason}`);
}
