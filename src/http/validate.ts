import { InvalidInputError } from '../errors.js';
import { MAX_FORECAST_DAYS } from '../weather/daily-forecast.js';
import { MAX_NAME_LENGTH, cleanName } from '../place-names.js';
import type { Point } from '../weather/types.js';

/**
 * Every rule for input, and the words in which a breach is told. Plain code: a schema library took
 * more time than the whole look into the cache.
 */

const DEFAULT_SUGGESTIONS = 5;
const MAX_SUGGESTIONS = 10;
const DEFAULT_DAYS = 3;

/** A city and a country, cleaned. */
export interface PlaceInput {
  city: string;
  country: string;
}

/** A value that keeps the rules, what is wrong with it, or `undefined` where it is missing. */
type Checked<T> = T | InvalidInputError | undefined;

/** City and country of a query string. @throws InvalidInputError */
export function placeFromQuery(query: Record<string, unknown>): PlaceInput {
  return placeFrom(query, 'parameters');
}

/** City and country of a JSON body. @throws InvalidInputError */
export function placeFromBody(body: Record<string, unknown>): PlaceInput {
  return placeFrom(body, 'fields');
}

/** Latitude and longitude of a query string. @throws InvalidInputError */
export function pointFromQuery(query: Record<string, unknown>): Point {
  const [latitude, longitude] = both(
    checkDegrees('lat', query['lat'], 90),
    checkDegrees('lon', query['lon'], 180),
    () => missing('parameters', 'lat', 'lon'),
  );
  return { latitude, longitude };
}

/** What to suggest places for. */
export interface SuggestionInput {
  q: string;
  country: string | undefined;
  limit: number;
}

/** Text, country and number of suggestions of a query string. @throws InvalidInputError */
export function suggestionFromQuery(query: Record<string, unknown>): SuggestionInput {
  const q = checkName('q', query['q']);
  if (q === undefined) {
    throw new InvalidInputError('Missing required parameters', "The parameter 'q' is required");
  }
  if (q instanceof InvalidInputError) throw q;
  const country = checkName('country', query['country']);
  if (country instanceof InvalidInputError) throw country;
  // A space at the end says that the word is whole: "san " is no Santiago.
  const isWholeWord = String(query['q']).endsWith(' ');
  return { q: isWholeWord ? `${q} ` : q, country, limit: suggestionLimit(query['limit']) };
}

/** The number of days in a query string. @throws InvalidInputError */
export function daysFromQuery({ days = String(DEFAULT_DAYS) }: Record<string, unknown>): number {
  const number = wholeNumber(days, MAX_FORECAST_DAYS);
  if (number !== undefined) return number;
  const message = `days must be a whole number from 1 to ${MAX_FORECAST_DAYS}`;
  throw new InvalidInputError('Invalid days', message);
}

/** @throws InvalidInputError */
function suggestionLimit(value: unknown): number {
  const limit = value === undefined ? DEFAULT_SUGGESTIONS : wholeNumber(value, MAX_SUGGESTIONS);
  if (limit !== undefined) return limit;
  const message = `limit must be a whole number from 1 to ${MAX_SUGGESTIONS}`;
  throw new InvalidInputError('Invalid limit', message);
}

/** Reads a whole number from 1 to `max`; undefined for any other value. */
function wholeNumber(value: unknown, max: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : 0;
  return number >= 1 && number <= max ? number : undefined;
}

function placeFrom(given: Record<string, unknown>, what: 'parameters' | 'fields'): PlaceInput {
  const [city, country] = both(
    checkName('city', given['city']),
    checkName('country', given['country']),
    () => missing(what, 'city', 'country'),
  );
  return { city, country };
}

/** What is missing is told before what is wrong; of two faults the first. */
function both<T>(a: Checked<T>, b: Checked<T>, whenMissing: () => InvalidInputError): [T, T] {
  if (a === undefined || b === undefined) throw whenMissing();
  if (a instanceof InvalidInputError) throw a;
  if (b instanceof InvalidInputError) throw b;
  return [a, b];
}

function missing(what: 'parameters' | 'fields', a: string, b: string): InvalidInputError {
  return new InvalidInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

function checkName(field: string, value: unknown): Checked<string> {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    return new InvalidInputError(`${field} must be a string`, `${field} must be one string`);
  }
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  switch (cleaned.fault) {
    case 'blank':
      return undefined;
    case 'too_long':
      return new InvalidInputError(
        `${field} is too long`,
        `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`,
      );
    case 'invalid_characters':
      return new InvalidInputError(
        `${field} contains invalid characters`,
        'Only letters, spaces, hyphens and Unicode characters are allowed',
      );
  }
}

/** Also as a program prints very small numbers: what the service answers must come back in. */
const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function checkDegrees(field: string, value: unknown, limit: number): Checked<number> {
  const invalid = (reason: string) =>
    new InvalidInputError('Invalid coordinates', `${field} ${reason}`);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return invalid('must be given once');
  if (value.trim() === '') return undefined;
  if (!DECIMAL.test(value)) return invalid('must be a number in decimal degrees');
  const number = Number(value);
  // + 0 makes 0 of -0, which JSON would write as 0 anyway.
  return Math.abs(number) <= limit ? number + 0 : invalid(`must be between -${limit} and ${limit}`);
}
