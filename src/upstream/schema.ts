import Joi from 'joi';
import { UpstreamError } from '../base/errors.js';

/** Options for the validation of provider responses: other fields are dropped, no value is converted. */
const STRICTLY = { convert: false, stripUnknown: { objects: true } } as const;

/** Validates a part of a response. @throws UpstreamError (`bad_answer`) if it does not match the schema */
export function checked<T>(upstream: string, schema: Joi.ObjectSchema<T>, input: unknown): T {
  const result: Joi.ValidationResult<T> = schema.validate(input, STRICTLY);
  if (result.error) throw new UpstreamError(upstream, 'bad_answer', result.error.message);
  return result.value;
}

/**
 * Creates a schema for an array with a maximum length, which is checked first. Joi's own `max` checks the
 * length after all items, which takes a second for a hostile array below one megabyte.
 */
export function atMost<T>(most: number, list: Joi.ArraySchema<T[]>): Joi.Schema<T[]> {
  return Joi.any<T[]>().custom((value: unknown) => {
    if (Array.isArray(value) && value.length > most) throw new Error(`more than ${most} items`);
    const checked: Joi.ValidationResult<T[]> = list.validate(value, STRICTLY);
    if (checked.error) throw checked.error;
    return checked.value;
  });
}
