import type { Schema } from './endpoint.js';

/** Schemas of members that several responses have (OpenAPI 2.0). */

/** A schema whose value can also be null. OpenAPI 2.0 has no null. This extension is common to its tools. */
export const nullable = (schema: Schema): Schema => ({ ...schema, 'x-nullable': true });

/** A number that is not rounded to a whole one. */
export const decimal = (description: string, range: Schema = {}): Schema => ({
  type: 'number',
  format: 'double',
  ...range,
  description,
});

/** A whole number. */
export const integer = (description: string, range: Schema = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  ...range,
  description,
});

/** An integer percentage. */
export const percentage = (description: string): Schema =>
  integer(description, { minimum: 0, maximum: 100 });
