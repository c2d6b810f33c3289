import Joi from 'joi';

/** How every answer is checked: further fields are dropped, nothing is converted. */
export const STRICTLY = { convert: false, stripUnknown: { objects: true } } as const;

/**
 * A list, and a limit on its items. Joi's own `max` looks at the length after it has walked all items,
 * which takes a second for a hostile list under a megabyte.
 */
export function atMost<T>(most: number, list: Joi.ArraySchema<T[]>): Joi.Schema<T[]> {
  return Joi.any<T[]>().custom((value: unknown) => {
    if (Array.isArray(value) && value.length > most) throw new Error(`more than ${most} items`);
    const checked: Joi.ValidationResult<T[]> = list.validate(value, STRICTLY);
    if (checked.error) throw checked.error;
    return checked.value;
  });
}
