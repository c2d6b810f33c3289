import { InvalidInputError } from '../base/errors.js';
import { MAX_NAME_LENGTH, cleanName, type CleanName } from '../text/place-names.js';
import type { FaultRow } from './parameters.js';

/** The rule for a name in a query or a JSON body: its parser, its errors, and its description. */

/** The titles of the errors for a name, and their conditions. */
const FAULTS = {
  type: { title: 'must be a string', condition: 'given more than once' },
  length: { title: 'is too long', condition: `more than ${MAX_NAME_LENGTH} characters` },
  characters: {
    title: 'contains invalid characters',
    condition: 'characters or patterns that are not allowed',
  },
};

/** What is valid, in words. */
export const NAME_RULES =
  'Letters of any script, spaces, hyphens, apostrophes, periods, commas and parentheses, in any ' +
  'typography: dashes, quotation marks, full-width forms and spaces of any kind count as the ordinary ' +
  `characters, and characters without a visible form are removed. At most ${MAX_NAME_LENGTH} characters after that, ` +
  'trimming, collapsing spaces and composing (NFC). Control characters are rejected.';

/** The schema of a name (OpenAPI 2.0). @param what the name in a few words, as a beginning of a sentence */
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

/** The errors for these fields, for the API description. @param otherTypes also describes values of JSON */
export const nameFaults = (fields: string[], otherTypes = false): FaultRow[] =>
  Object.entries(FAULTS).map(([kind, { title, condition }]) => ({
    error: fields.map((field) => `${field} ${title}`).join(', '),
    condition: kind === 'type' && otherTypes ? `another type, or ${condition}` : condition,
  }));

/** Cleans a name. Returns undefined if it is absent or blank, and the error if it is invalid. */
export function readName(field: string, value: unknown): CleanName | undefined | InvalidInputError {
  const fault = (kind: keyof typeof FAULTS, message: string) =>
    new InvalidInputError(`${field} ${FAULTS[kind].title}`, message);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return fault('type', `${field} must be one string`);
  const cleaned = cleanName(value);
  if (cleaned.ok) return cleaned.name;
  if (cleaned.fault === 'blank') return undefined;
  if (cleaned.fault === 'invalid_characters') {
    return fault(
      'characters',
      `Only letters, spaces, hyphens and Unicode characters are allowed. ${cleaned.found} is not.`,
    );
  }
  return fault('length', `${field} exceeds the maximum length of ${MAX_NAME_LENGTH} characters`);
}

/** Returns a result of `readName`. @throws InvalidInputError if it is an error */
export function validName<T extends CleanName | undefined>(name: T | InvalidInputError): T {
  if (name instanceof InvalidInputError) throw name;
  return name;
}
