import type { ParameterRule } from '../../src/http/input/parameters.js';
import { NAME_FAULTS } from '../../src/http/input/validate.js';
import { MAX_NAME_LENGTH } from '../../src/text/place-names.js';
import type { Parameter } from './types.js';

/** The rules for what clients send, in words. */

/** The title of an error, and when it is the response. */
export interface FaultRow {
  error: string;
  condition: string;
}

/** What is valid as a name. */
export const NAME_RULES =
  'Letters of any script, spaces, hyphens, apostrophes, periods, commas and parentheses, in any ' +
  'typography: dashes, quotation marks, full-width forms and spaces of any kind count as the ordinary ' +
  `characters, and characters without a visible form are removed. At most ${MAX_NAME_LENGTH} characters after that, ` +
  'trimming, collapsing spaces and composing (NFC). Control characters are rejected.';

/** The schema of a name. @param what the name in a few words, as a beginning of a sentence */
export const nameSchema = (what: string) => ({
  type: 'string',
  minLength: 1,
  // No maxLength: it would apply before trimming and composing, and reject names that the service accepts.
  // Only blocked characters and digits: a pattern for the other rules would not work in every client.
  pattern: '^[^<>;&|$\\\\0-9]*$',
  description: `${what}. ${NAME_RULES}`,
});

export const CITY = nameSchema('Name of the city, in any language');
export const COUNTRY = nameSchema(
  'Name of the country, its ISO 3166 code or a usual alias such as UK',
);

/** The errors for names. @param otherTypes also describes values of JSON */
export function nameFaults(fields: string[], otherTypes = false): FaultRow[] {
  const conditions = {
    type: otherTypes ? 'another type, or given more than once' : 'given more than once',
    length: `more than ${MAX_NAME_LENGTH} characters`,
    characters: 'characters or patterns that are not allowed',
  };
  return (['type', 'length', 'characters'] as const).map((kind) => ({
    error: fields.map((field) => `${field} ${NAME_FAULTS[kind]}`).join(', '),
    condition: conditions[kind],
  }));
}

/** The error for input that lacks a member. */
export function missingRow(what: 'parameters' | 'fields', condition: string): FaultRow {
  return { error: `Missing required ${what}`, condition };
}

/** The errors for city and country, and for a place that does not exist. */
export const PLACE_FAULTS: FaultRow[] = [
  ...nameFaults(['city', 'country'], true),
  { error: 'Geocoding failed', condition: 'there is no such place; `Link` has similar ones' },
];

/** The errors for coordinates, and for a point far from any place. */
export const POINT_FAULTS: FaultRow[] = [
  missingRow('parameters', 'lat or lon is missing or blank'),
  {
    error: 'Invalid coordinates',
    condition: 'not a decimal number, out of range, or given more than once',
  },
  { error: 'Geocoding failed', condition: 'no place is near, for example on the open sea' },
];

/** A query parameter that has a default, which is also its example. */
export function optionalParameter({ description }: ParameterRule<unknown>): Parameter {
  const { name, ...others } = description;
  return { name, in: 'query', required: false, ...others, 'x-example': others.default };
}

/** The errors for parameters that have a range. Every value of the others is valid. */
export function rangeFaults(parameters: ParameterRule<unknown>[]): FaultRow[] {
  return parameters.flatMap(({ description: { name, minimum, maximum } }) =>
    minimum === undefined || maximum === undefined
      ? []
      : [
          {
            error: `Invalid ${name}`,
            condition: `not a whole number from ${minimum} to ${maximum}`,
          },
        ],
  );
}
