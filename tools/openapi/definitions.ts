/** The schemas of all bodies, each with an example. OpenAPI 2.0 schema objects. */

import { SERVICE_NAME, SERVICE_VERSION } from '../../src/base/version.js';

const name = {
  type: 'string',
  minLength: 1,
  // No maxLength: it would apply before trimming and composing, and reject names that the service accepts.
  // Only blocked characters and digits: a pattern for the other rules would not work in every client.
  pattern: '^[^<>;&|$\\\\0-9]*$',
};

/** The rules for a name. */
export const nameRules =
  'Letters of any script, spaces, hyphens, apostrophes, periods, commas and parentheses, in any ' +
  'typography: dashes, quotation marks, full-width forms and spaces of any kind count as the ordinary ' +
  'characters, and characters without a visible form are removed. At most 100 characters after that, ' +
  'trimming, collapsing spaces and composing (NFC). Control characters are rejected.';

/** A city, as query parameter and as body field. */
export const city = { ...name, description: `Name of the city, in any language. ${nameRules}` };

/** A country, as query parameter and as body field. */
export const country = {
  ...name,
  description: `Name of the country, its ISO 3166 code or a usual alias such as UK. ${nameRules}`,
};

/**
 * A schema of an object with these properties. It is open: a client that validates must accept the members of later
 * versions.
 */
export const record = (properties: object, example: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  example,
});

const coordinate = (axis: string, limit: number) => ({
  type: 'number',
  format: 'double',
  minimum: -limit,
  maximum: limit,
  // OpenAPI 2.0 has no null. This extension is common to its tools.
  'x-nullable': true,
  description: `${axis} of the request, in decimal degrees; null for a request by city.`,
});

const Location = record(
  {
    city: { type: 'string', description: 'As in the request, or the city at the coordinates.' },
    country: {
      type: 'string',
      description: 'As in the request, or the country at the coordinates.',
    },
    latitude: coordinate('Latitude', 90),
    longitude: coordinate('Longitude', 180),
  },
  { city: 'Paris', country: 'France', latitude: null, longitude: null },
);

const WeatherQuery = {
  type: 'object',
  required: ['city', 'country'],
  properties: { city, country },
  example: { city: 'Paris', country: 'France' },
};

const RecentSearch = record(
  {
    city: { type: 'string', description: 'In its newest spelling.' },
    country: { type: 'string', description: 'In its newest spelling.' },
  },
  { city: 'Paris', country: 'France' },
);

const RecentSearches = record(
  {
    recent_searches: {
      type: 'array',
      maxItems: 10,
      items: { $ref: '#/definitions/RecentSearch' },
      description: 'Newest first; a repeated search moves to the front.',
    },
  },
  {
    recent_searches: [
      { city: 'Paris', country: 'France' },
      { city: '東京', country: 'Japan' },
    ],
  },
);

const Message = record({ message: { type: 'string' } }, { message: 'Recent searches cleared' });

const Health = record(
  {
    status: { type: 'string', enum: ['ok'] },
    service: { type: 'string' },
    version: { type: 'string' },
  },
  { status: 'ok', service: SERVICE_NAME, version: SERVICE_VERSION },
);

const Liveness = record({ status: { type: 'string', enum: ['alive'] } }, { status: 'alive' });

const checkState = { type: 'string', enum: ['ok', 'down', 'not_configured', 'draining'] };

const Readiness = record(
  {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    checks: {
      type: 'object',
      required: ['redis'],
      properties: { redis: checkState },
      additionalProperties: checkState,
      description: 'The state of each thing that the service needs.',
    },
  },
  { status: 'ready', checks: { redis: 'ok' } },
);

const ErrorBody = record(
  {
    error: { type: 'string', description: 'Short title of the error.' },
    message: { type: 'string', description: 'Explanation of the error, in a sentence.' },
  },
  {
    error: 'Geocoding failed',
    message: "No place called 'Atlantis' was found in 'Greece'",
  },
);

export const definitions = {
  Location,
  WeatherQuery,
  RecentSearches,
  RecentSearch,
  Message,
  Health,
  Liveness,
  Readiness,
  Error: ErrorBody,
};
