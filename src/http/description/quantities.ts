import { decimal, integer, nullable, text, type Schema } from './schemas.js';

/** Schemas of members that several responses about the weather have. */

/** An integer percentage. */
export const percentage = (description: string): Schema<number> =>
  integer(description, { minimum: 0, maximum: 100 });

/** Degrees Celsius. @param what the quantity, as the beginning of a sentence */
export const celsius = (what: string): Schema<number> =>
  decimal(`${what} in degrees Celsius, at most one decimal.`);

/** Kilometers per hour. @param what the quantity, as the beginning of a sentence */
export const kilometersPerHour = (what: string): Schema<number> =>
  decimal(`${what} in kilometers per hour, at most one decimal.`, { minimum: 0 });

/** Millimeters of water. */
export const millimeters = (description: string): Schema<number> =>
  decimal(description, { minimum: 0 });

/** A local time with its offset from UTC. */
export const offsetTimeText = (description: string): Schema<string> =>
  text(description, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
  });

export const CONDITION = text('The weather, in the words of the WMO weather codes.');

export const WEATHER_CODE = nullable(
  integer('WMO weather code of `condition`; null for `Unknown`.', { minimum: 0, maximum: 99 }),
);

export const IS_DAY: Schema<boolean> = {
  object: {
    type: 'boolean',
    description: 'Whether the sun is up: at `time` of an hour, else now.',
  },
};

export const FEELS_LIKE = nullable(
  celsius('Apparent temperature by the provider, or by the rule of Yr if it has none'),
);

export const CLOUD_COVER = percentage('Part of the sky that clouds cover, in percent.');

export const WIND_DIRECTION = nullable(
  integer('Degrees that the wind comes from: 0 or 360 is north, 90 is east.', {
    minimum: 0,
    maximum: 360,
  }),
);
