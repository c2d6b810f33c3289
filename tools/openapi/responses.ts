/** The responses that several operations share, and functions that describe a response. */
import {
  cacheControl,
  rateLimit,
  requestId,
  retryAfter,
  setCookie,
  similarPlaces,
} from './headers.js';
import { SUGGESTION_LIMIT } from '../../src/http/validate.js';
import type { ParameterRules } from '../../src/http/parameters.js';
import type { Fields, Response } from './types.js';

/** A response with a JSON body of the named definition; the example must fit it. */
export function json(
  definition: string,
  description: string,
  example: object,
  headers: Record<string, Fields> = {},
): Response {
  return {
    description,
    schema: { $ref: `#/definitions/${definition}` },
    headers: { ...headers, ...requestId },
    examples: { 'application/json': example },
  };
}

/** An error response. A test compares the example with the error that the service throws. */
function failure(
  description: string,
  example: { error: string; message: string },
  headers: Record<string, Fields> = {},
): Response {
  return json('Error', description, example, { ...headers, ...cacheControl('no-store') });
}

/** Refers to one of `responses`. */
export function shared(name: keyof typeof responses): Response {
  return { $ref: `#/responses/${name}` };
}

/** The headers of every operation that counts toward a limit, except on a 429. */
export const limited = { ...rateLimit, ...setCookie };

/** The response to a conditional request whose data has not changed. */
export const notModified = (headers: Record<string, Fields>): Response => ({
  description: 'The response would have the entity tag that `If-None-Match` names. It has no body.',
  headers: { ...headers, ...requestId },
});

const NAME_FAULTS = `
| \`error\` | when |
|---|---|
| city must be a string, country must be a string | another type, or given more than once |
| city is too long, country is too long | more than 100 characters |
| city contains invalid characters, country contains invalid characters | \
characters or patterns that are not allowed |
| Geocoding failed | there is no such place; \`Link\` has similar ones |
`.trim();

const COORDINATE_FAULTS = `
| \`error\` | when |
|---|---|
| Missing required parameters | lat or lon is missing or blank |
| Invalid coordinates | no decimal number, out of range, or given more than once |
| Geocoding failed | no place is near, as on the open sea |
`.trim();

/** The two ways to name a location in a query: the faults, and an example of an error. */
const LOCATIONS = {
  names: {
    description: 'A query parameter is missing, breaks a rule, or names no place.',
    faults: `${NAME_FAULTS}\n| Missing required parameters | city or country is missing or blank |`,
    example: {
      error: 'Missing required parameters',
      message: "Both 'city' and 'country' parameters are required",
    },
  },
  coordinates: {
    description: 'A query parameter is missing or breaks a rule, or no place is near.',
    faults: COORDINATE_FAULTS,
    example: { error: 'Invalid coordinates', message: 'lat must be between -90 and 90' },
  },
};

/** The response to an invalid query about a location. */
export function invalidQuery(
  by: keyof typeof LOCATIONS,
  parameters: ParameterRules,
  headers: Record<string, Fields>,
): Response {
  const { description, faults, example } = LOCATIONS[by];
  const rows = Object.values(parameters).map(
    ({ fault }) => `\n| ${fault.error} | ${fault.condition} |`,
  );
  const links = by === 'names' ? similarPlaces : {};
  return failure(`${description}\n\n${faults}${rows.join('')}`, example, { ...headers, ...links });
}

const ALL_FAILED =
  'Every weather provider failed and there is no older data, or the service is overloaded.';
const UNAVAILABLE = {
  error: 'Service unavailable',
  message: 'The weather service is temporarily unavailable. Please try again later.',
};

export const responses = {
  InvalidBody: failure(
    `The body is no JSON object, or a field is missing, breaks a rule, or names no place.\n\n` +
      `${NAME_FAULTS}\n` +
      '| Missing required fields | city or country is missing, `null` or blank |\n' +
      '| Invalid request | the body is empty, compressed, no JSON object, or not `application/json` |',
    { error: 'Missing required fields', message: "Both 'city' and 'country' fields are required" },
    { ...limited, ...similarPlaces },
  ),
  InvalidSuggestion: failure(
    'A query parameter is missing or breaks a rule, or there is no such country.\n\n' +
      '| `error` | when |\n|---|---|\n' +
      '| Missing required parameters | q is missing or blank |\n' +
      '| q must be a string, country must be a string | given more than once |\n' +
      '| q is too long, country is too long | more than 100 characters |\n' +
      '| q contains invalid characters, country contains invalid characters | ' +
      'characters or patterns that are not allowed |\n' +
      `| ${SUGGESTION_LIMIT.fault.error} | ${SUGGESTION_LIMIT.fault.condition} |\n` +
      '| Geocoding failed | there is no such country |',
    { error: 'Missing required parameters', message: "The parameter 'q' is required" },
  ),
  RequestTimeout: failure(
    'The body was not complete within 30 seconds. The connection is closed.',
    { error: 'Request timeout', message: 'The request body was not received in time' },
    limited,
  ),
  PayloadTooLarge: failure(
    'The body is larger than 16 KiB.',
    { error: 'Payload too large', message: 'Request body must not exceed 16 KiB' },
    limited,
  ),
  RateLimited: failure(
    'A limit is exceeded: the limit per client address (weather operations), or the total limit.',
    {
      error: 'Rate limit exceeded',
      message: 'The limit of 30 requests per client address is exceeded. Retry in 12 seconds.',
    },
    { ...rateLimit, ...retryAfter },
  ),
  InternalError: failure('An unexpected error. The log has it under the ID of the request.', {
    error: 'Internal server error',
    message: 'An unexpected error occurred',
  }),
  WeatherUnavailable: failure(ALL_FAILED, UNAVAILABLE, { ...limited, ...retryAfter }),
  PublicDataUnavailable: failure(ALL_FAILED, UNAVAILABLE, retryAfter),
  Overloaded: failure(
    'The service is overloaded.',
    { error: 'Service unavailable', message: 'The service is overloaded. Please try again later.' },
    retryAfter,
  ),
  StoreUnavailable: failure(
    'The store of the sessions is unavailable, or the service is overloaded. No data is lost: try ' +
      'again.',
    {
      error: 'Service unavailable',
      message: 'The session store is temporarily unavailable. Please try again later.',
    },
    { ...rateLimit, ...retryAfter },
  ),
};
