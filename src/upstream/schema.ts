import Joi, { type AnySchema, type ObjectSchema } from 'joi';
import { UpstreamError } from '../weather/errors.js';

/** Other fields are dropped, and no value is converted. */
const STRICTLY = { convert: false, stripUnknown: { objects: true } } as const;
/** Messages call the whole value `response`. Joi would call it `value`. */
const RESPONSE = { ...STRICTLY, messages: { root: 'response' } } as const;

/** The type of the values that match a schema. */
export type Validated<S> = S extends AnySchema<infer Value> ? Value : never;

type Members = Record<string, AnySchema>;
/** The type of an object with these members. Those that may be absent are optional. */
export type ObjectOf<M extends Members> = {
  [Name in keyof M as undefined extends Validated<M[Name]> ? never : Name]: Validated<M[Name]>;
} & {
  [Name in keyof M as undefined extends Validated<M[Name]> ? Name : never]?: Validated<M[Name]>;
};

/** A schema for an object. A member whose type has no undefined must be `required`. */
export const objectOf = <M extends Members>(members: M): ObjectSchema<ObjectOf<M>> =>
  Joi.object(members);

/** A member that may be absent or null. */
export const maybe = <T>(schema: AnySchema<T>): AnySchema<T | null | undefined> =>
  schema.allow(null);

/** A member that may be absent. */
export const optional = <T>(schema: AnySchema<T>): AnySchema<T | undefined> => schema;

/** Validates a part of a response. @throws UpstreamError (`bad_answer`) */
export function validate<T>(upstream: string, schema: AnySchema<T>, input: unknown): T {
  const result: Joi.ValidationResult<T> = schema.validate(input, RESPONSE);
  if (result.error) throw new UpstreamError(upstream, 'bad_answer', result.error.message);
  return result.value;
}

/**
 * Creates a schema for an array with a maximum length, which is checked first. Joi's own `max`
 * would check a hostile array below one megabyte for a second.
 */
export function atMost<T>(max: number, item: AnySchema<T>): AnySchema<T[]> {
  const list = Joi.array<T[]>().items(item);
  return Joi.any<T[]>().custom((value: unknown) => {
    if (Array.isArray(value) && value.length > max) throw new Error(`more than ${max} items`);
    const result: Joi.ValidationResult<T[]> = list.validate(value, STRICTLY);
    if (result.error) throw result.error;
    return result.value;
  });
}
