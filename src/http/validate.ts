import Joi from 'joi';
import { InvalidInputError } from '../errors.js';
import { MAX_NAME_LENGTH, cleanName } from '../weather/names.js';
import type { Point } from '../weather/types.js';

/** Every rule for input, and the words in which a breach is told. */

/** A city and a country, cleaned. */
export interface PlaceInput {
  city: string;
  country: string;
}

const name = Joi.string()
  .required()
  .custom((value: string, helpers) => {
    const cleaned = cleanName(value);
    return cleaned.ok ? cleaned.name : helpers.error(cleaned.fault);
  });

const PLACE = Joi.object<PlaceInput>({ city: name, country: name }).unknown();

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

const degrees = (limit: number) =>
  Joi.string()
    .required()
    .custom((value: string, helpers) => {
      if (value.trim() === '') return helpers.error('blank');
      if (!DECIMAL.test(value)) return helpers.error('not_decimal', { limit });
      const number = Number(value);
      // + 0 makes 0 of -0, which JSON would write as 0 anyway.
      return Math.abs(number) <= limit ? number + 0 : helpers.error('out_of_range', { limit });
    });

const COORDINATES = Joi.object<{ lat: number; lon: number }>({
  lat: degrees(90),
  lon: degrees(180),
}).unknown();

/** Our own faults need a template in Joi; the words are chosen in one place below. */
const OPTIONS: Joi.ValidationOptions = {
  abortEarly: false,
  messages: Object.fromEntries(
    ['blank', 'too_long', 'invalid_characters', 'not_decimal', 'out_of_range'].map((fault) => [
      fault,
      fault,
    ]),
  ),
};

const MISSING = new Set(['any.required', 'string.empty', 'blank']);

/** City and country of a query string. @throws InvalidInputError */
export function placeFromQuery(query: unknown): PlaceInput {
  return validated(PLACE, query, {
    missing: () => missing('parameters', 'city', 'country'),
    fault: nameFault,
  });
}

/** City and country of a JSON body. @throws InvalidInputError */
export function placeFromBody(body: Record<string, unknown>): PlaceInput {
  const given = { city: body['city'] ?? undefined, country: body['country'] ?? undefined };
  return validated(PLACE, given, {
    missing: () => missing('fields', 'city', 'country'),
    fault: nameFault,
  });
}

/** Latitude and longitude of a query string. @throws InvalidInputError */
export function pointFromQuery(query: unknown): Point {
  const { lat, lon } = validated(COORDINATES, query, {
    missing: () => missing('parameters', 'lat', 'lon'),
    fault: coordinateFault,
  });
  return { latitude: lat, longitude: lon };
}

/** What is missing is told before what is wrong; of several faults the first. */
function validated<T>(
  schema: Joi.ObjectSchema<T>,
  input: unknown,
  words: {
    missing(): InvalidInputError;
    fault(detail: Joi.ValidationErrorItem): InvalidInputError;
  },
): T {
  const result: Joi.ValidationResult<T> = schema.validate(input, OPTIONS);
  if (!result.error) return result.value;
  const { details } = result.error;
  const [first] = details;
  if (!first || details.some((detail) => MISSING.has(detail.type))) throw words.missing();
  throw words.fault(first);
}

function missing(what: 'parameters' | 'fields', a: string, b: string): InvalidInputError {
  return new InvalidInputError(
    `Missing required ${what}`,
    `Both '${a}' and '${b}' ${what} are required`,
  );
}

function nameFault({ type, path }: Joi.ValidationErrorItem): InvalidInputError {
  const field = String(path[0]);
  switch (type) {
    case 'string.base':
      return new InvalidInputError(`${field} must be a string`, `${field} must be one string`);
    case 'too_long':
      return new InvalidInputError(
        `${field} is too long`,
        `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`,
      );
    default:
      return new InvalidInputError(
        `${field} contains invalid characters`,
        'Only letters, spaces, hyphens and Unicode characters are allowed',
      );
  }
}

function coordinateFault({ type, path, context }: Joi.ValidationErrorItem): InvalidInputError {
  const field = String(path[0]);
  const limit = String(context?.['limit']);
  const reasons: Record<string, string> = {
    'string.base': 'must be given once',
    not_decimal: 'must be a number in decimal degrees',
    out_of_range: `must be between -${limit} and ${limit}`,
  };
  return new InvalidInputError(
    'Invalid coordinates',
    `${field} ${reasons[type] ?? 'is not valid'}`,
  );
}
