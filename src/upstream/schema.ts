import Joi from 'joi';

/** Options for the validation of provider responses: other fields are dropped, no value is converted. */
export const STRICTLY = { convert: false, stripUnknown: { objects: true } } as const;

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
