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

/** Degrees Celsius. @param what the quantity, as the beginning of a sentence */
export const celsius = (what: string): Schema =>
  decimal(`${what} in degrees Celsius, at most one decimal.`);

/** Kilometers per hour. @param what the quantity, as the beginning of a sentence */
export const kilometersPerHour = (what: string): Schema =>
  decimal(`${what} in kilometers per hour, at most one decimal.`, { minimum: 0 });

/** Millimeters of water. */
export const millimeters = (description: string): Schema => decimal(description, { minimum: 0 });

/** A local time with its offset from UTC. */
export const offsetTimeSchema = (description: string): Schema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
  description,
});

export const CONDITION: Schema = {
  type: 'string',
  description: 'The weather, in the words of the WMO weather codes.',
};

export const WEATHER_CODE: Schema = nullable(
  integer('WMO weather code of `condition`; null for `Unknown`.', { minimum: 0, maximum: 99 }),
);

export const IS_DAY: Schema = { type: 'boolean', description: 'Whether the sun is up.' };

export const WIND_DIRECTION: Schema = nullable(
  integer('Degrees that the wind comes from: 0 or 360 is north, 90 is east.', {
    minimum: 0,
    maximum: 360,
  }),
);
