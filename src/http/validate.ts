import { InvalidInputError } from '../base/errors.js';
import { MAX_NAME_LENGTH, cleanName, type CleanName } from '../text/place-names.js';
import { plainText } from '../text/typography.js';
import type { Point } from '../weather/types.js';
import { wholeNumber } from './parameters.js';
import type { Query } from './request-target.js';

/** The rules for input, and the errors for input that breaks them. A schema library costs more than a cache hit. */

/** The maximum number of suggestions. */
export const SUGGESTION_LIMIT = wholeNumber('limit', {
  min: 1,
  max: 10,
  default: 5,
  description: 'The maximum number of places.',
});

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

/** Returns latitude and longitude of a query string. @throws InvalidInputError */
export function pointFromQuery({ lat, lon }: Record<string, unknown>): Point {
  if (isMissingNumber(lat) || isMissingNumber(lon)) throw missing('parameters', 'lat', 'lon');
  return { latitude: degreesOf('lat', lat, 90), longitude: degreesOf('lon', lon, 180) };
}

/** A request for suggestions. */
export interface SuggestionInput {
  /** In plain typography. A space at the end means that the word is complete: "san " is not the beginning of Santiago. */
  q: string;
  country: CleanName | undefined;
  limit: number;
}

/** Returns text, country, and number of suggestions of a query string. @throws InvalidInputError */
export function suggestionFromQuery(query: Query): SuggestionInput {
  const q = readName('q', query['q']);
  if (q === undefined) {
    throw new InvalidInputError('Missing required parameters', "The parameter 'q' is required");
  }
  const { plain } = validName(q);
  const country = validName(readName('country', query['country']));
  const limit = SUGGESTION_LIMIT.read(query);
  // A space at the end means that the word is complete: "san " is not the beginning of Santiago.
  const isWholeWord = plainText(String(query['q'])).endsWith(' ');
  return { q: isWholeWord ? `${plain} ` : plain, country, limit };
}

function missing(what: 'parameters' | 'fields', a: string, b: string): InvalidInputError {
  return new InvalidInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

/** Cleans a name. Returns undefined if it is absent or blank, and the error if it is invalid. */
function readName(field: string, value: unknown): CleanName | undefined | InvalidInputError {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    return new InvalidInputError(`${field} must be a string`, `${field} must be one string`);
  }
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  if (cleaned.fault === 'blank') return undefined;
  if (cleaned.fault === 'invalid_characters') {
    return new InvalidInputError(
      `${field} contains invalid characters`,
      `Only letters, spaces, hyphens and Unicode characters are allowed. ${cleaned.found} is not.`,
    );
  }
  return new InvalidInputError(
    `${field} is too long`,
    `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`,
  );
}

/** Returns a result of `readName`. @throws InvalidInputError if it is an error */
function validName<T extends CleanName | undefined>(name: T | InvalidInputError): T {
  if (name instanceof InvalidInputError) throw name;
  return name;
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
