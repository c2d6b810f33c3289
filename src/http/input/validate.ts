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
  const city = readName('city', input['city']);
  const country = readName('country', input['country']);
  // A missing value is reported before an invalid one.
  if (city === undefined || country === undefined) throw missing(what, 'city', 'country');
  return { city: validName(city), country: validName(country) };
}

/** Returns latitude and longitude. @throws InvalidInputError */
export function pointFrom({ lat, lon }: Input): Point {
  if (isMissing(lat) || isMissing(lon)) throw missing('parameters', 'lat', 'lon');
  return { latitude: degreesOf('lat', lat), longitude: degreesOf('lon', lon) };
}

/** A code of IATA or ICAO. */
const CODE = /^[A-Z]{3}$|^[A-Z][A-Z\d]{3}$/;

/** Returns the code of an airport in capital letters. @throws InvalidInputError */
export function codeFrom({ code }: Input): string {
  if (isMissing(code)) {
    throw new MissingInputError('Missing required parameters', "The parameter 'code' is required");
  }
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

/** Cleans a name. Returns undefined if it is absent or blank, and the error if it is invalid. */
export function readName(field: string, value: unknown): CleanName | undefined | InvalidInputError {
  const fault = (kind: keyof typeof NAME_FAULTS, message: string) =>
    new InvalidInputError(`${field} ${NAME_FAULTS[kind]}`, message);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return fault('type', `${field} must be one string`);
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  if (cleaned.fault === 'blank') return undefined;
  if (cleaned.fault === 'invalid_characters') {
    const rule = 'Only letters, spaces, hyphens and Unicode characters are allowed.';
    const advice = field === 'country' ? undefined : instead(value);
    return fault(
      'characters',
      [rule, `${cleaned.found} is not.`, advice].filter(Boolean).join(' '),
    );
  }
  return fault('length', `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`);
}

/** Returns a result of `readName`. @throws InvalidInputError if it is an error */
export function validName<T extends CleanName | undefined>(name: T | InvalidInputError): T {
  if (name instanceof InvalidInputError) throw name;
  return name;
}

function missing(what: 'parameters' | 'fields', a: string, b: string): MissingInputError {
  return new MissingInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

function isMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
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
