import { InvalidInputError } from '../errors.js';
import { MAX_FORECAST_DAYS } from '../weather/daily-forecast.js';
import { MAX_NAME_LENGTH, cleanName } from '../place-names.js';
import type { Point } from '../weather/types.js';

/** The rules for input, and the errors for input that breaks them. A schema library costs more than a cache hit. */

const DEFAULT_SUGGESTIONS = 5;
const MAX_SUGGESTIONS = 10;
const DEFAULT_DAYS = 3;

/** A city and a country, trimmed and normalized (`cleanName`). */
export interface PlaceInput {
  city: string;
  country: string;
}

/**
 * Returns city and country of a query string or a JSON body.
 * @param what what its members are called in the message of the error
 * @throws InvalidInputError
 */
export function placeFrom(
  { city, country }: Record<string, unknown>,
  what: 'parameters' | 'fields',
): PlaceInput {
  // A missing value is reported before an invalid one.
  if (isMissingName(city) || isMissingName(country)) throw missing(what, 'city', 'country');
  return { city: nameOf('city', city), country: nameOf('country', country) };
}

/** Returns latitude and longitude of a query string. @throws InvalidInputError */
export function pointFromQuery({ lat, lon }: Record<string, unknown>): Point {
  if (isMissingNumber(lat) || isMissingNumber(lon)) throw missing('parameters', 'lat', 'lon');
  return { latitude: degreesOf('lat', lat, 90), longitude: degreesOf('lon', lon, 180) };
}

/** A request for suggestions. */
export interface SuggestionInput {
  q: string;
  country: string | undefined;
  limit: number;
}

/** Returns text, country, and number of suggestions of a query string. @throws InvalidInputError */
export function suggestionFromQuery(query: Record<string, unknown>): SuggestionInput {
  if (isMissingName(query['q'])) {
    throw new InvalidInputError('Missing required parameters', "The parameter 'q' is required");
  }
  const q = nameOf('q', query['q']);
  const country = isMissingName(query['country']) ? undefined : nameOf('country', query['country']);
  const limit = wholeNumberOf(
    'limit',
    query['limit'] ?? String(DEFAULT_SUGGESTIONS),
    MAX_SUGGESTIONS,
  );
  // A space at the end means that the word is complete: "san " is not the beginning of Santiago.
  const isWholeWord = String(query['q']).endsWith(' ');
  return { q: isWholeWord ? `${q} ` : q, country, limit };
}

/** Returns the number of days in a query string. @throws InvalidInputError */
export function daysFromQuery({ days = String(DEFAULT_DAYS) }: Record<string, unknown>): number {
  return wholeNumberOf('days', days, MAX_FORECAST_DAYS);
}

/** Returns a whole number from 1 to `max`, which has at most two digits. @throws InvalidInputError */
function wholeNumberOf(field: string, value: unknown, max: number): number {
  const number = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= max) return number;
  throw new InvalidInputError(
    `Invalid ${field}`,
    `${field} must be a whole number from 1 to ${max}`,
  );
}

function missing(what: 'parameters' | 'fields', a: string, b: string): InvalidInputError {
  return new InvalidInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

/** Returns whether a name is absent or blank. */
function isMissingName(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined || value === null;
  const cleaned = cleanName(value);
  return !cleaned.ok && cleaned.fault === 'blank';
}

/** Returns a cleaned name. @throws InvalidInputError */
function nameOf(field: string, value: unknown): string {
  if (typeof value !== 'string') {
    throw new InvalidInputError(`${field} must be a string`, `${field} must be one string`);
  }
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  if (cleaned.fault === 'too_long') {
    throw new InvalidInputError(
      `${field} is too long`,
      `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`,
    );
  }
  throw new InvalidInputError(
    `${field} contains invalid characters`,
    'Only letters, spaces, hyphens and Unicode characters are allowed',
  );
}

function isMissingNumber(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** A decimal number, also as programs print very small numbers: a client can send back the numbers of a response. */
const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns a number of degrees. @throws InvalidInputError */
function degreesOf(field: string, value: unknown, limit: number): number {
  const invalid = (reason: string) =>
    new InvalidInputError('Invalid coordinates', `${field} ${reason}`);
  if (typeof value !== 'string') throw invalid('must be given once');
  if (!DECIMAL.test(value)) throw invalid('must be a number in decimal degrees');
  const number = Number(value);
  if (Math.abs(number) > limit) throw invalid(`must be between -${limit} and ${limit}`);
  // + 0 converts -0 to 0, which JSON would write as 0 anyway.
  return number + 0;
}
