/** The responses that several operations share, and functions that describe a response. */
import {
  cacheControl,
  currentWeather,
  freshness,
  rateLimit,
  requestId,
  retryAfter,
  setCookie,
} from './headers.js';
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

const NOT_MODIFIED =
  'The response would have the entity tag that `If-None-Match` names. It has no body.';

const NAME_FAULTS = `
| \`error\` | when |
|---|---|
| city must be a string, country must be a string | another type, or given more than once |
| city is too long, country is too long | more than 100 characters |
| city contains invalid characters, country contains invalid characters | \
characters or patterns that are not allowed |
| Geocoding failed | there is no such place |
`.trim();

const COORDINATE_FAULTS = `
| \`error\` | when |
|---|---|
| Missing required parameters | lat or lon is missing or blank |
| Invalid coordinates | no decimal number, out of range, or given more than once |
| Geocoding failed | no place is near, as on the open sea |
`.trim();

const DAYS_FAULT = '| Invalid days | no whole number from 1 to 7 |';
const INVALID_DAYS = { error: 'Invalid days', message: 'days must be a whole number from 1 to 7' };

export const responses = {
  NotModified: {
    description: NOT_MODIFIED,
    headers: { ...freshness, ...currentWeather, ...limited, ...requestId },
  },
  ForecastNotModified: {
    description: NOT_MODIFIED,
    headers: { ...freshness, ...limited, ...requestId },
  },
  InvalidQuery: failure(
    `A query parameter is missing, breaks a rule, or names no place.\n\n${NAME_FAULTS}\n` +
      '| Missing required parameters | city or country is missing or blank |',
    {
      error: 'Missing required parameters',
      message: "Both 'city' and 'country' parameters are required",
    },
    limited,
  ),
  InvalidBody: failure(
    `The body is no JSON object, or a field is missing, breaks a rule, or names no place.\n\n` +
      `${NAME_FAULTS}\n` +
      '| Missing required fields | city or country is missing, `null` or blank |\n' +
      '| Invalid request | the body is empty, compressed, no JSON object, or not `application/json` |',
    { error: 'Missing required fields', message: "Both 'city' and 'country' fields are required" },
    limited,
  ),
  InvalidCoordinates: failure(
    `A coordinate is missing or wrong, or no place is near.\n\n${COORDINATE_FAULTS}`,
    { error: 'Invalid coordinates', message: 'lat must be between -90 and 90' },
    limited,
  ),
  InvalidForecastQuery: failure(
    `A query parameter is missing, breaks a rule, or names no place.\n\n${NAME_FAULTS}\n` +
      `| Missing required parameters | city or country is missing or blank |\n${DAYS_FAULT}`,
    INVALID_DAYS,
    limited,
  ),
  InvalidForecastCoordinates: failure(
    'A coordinate is missing or wrong, no place is near, or the number of days is not valid.\n\n' +
      `${COORDINATE_FAULTS}\n${DAYS_FAULT}`,
    INVALID_DAYS,
    limited,
  ),
  InvalidSuggestion: failure(
    'A query parameter is missing or breaks a rule, or there is no such country.\n\n' +
      '| `error` | when |\n|---|---|\n' +
      '| Missing required parameters | q is missing or blank |\n' +
      '| q must be a string, country must be a string | given more than once |\n' +
      '| q is too long, country is too long | more than 100 characters |\n' +
      '| q contains invalid characters, country contains invalid characters | ' +
      'characters or patterns that are not allowed |\n' +
      '| Invalid limit | no whole number from 1 to 10 |\n' +
      '| Geocoding failed | there is no such country |',
    { error: 'Missing required parameters', message: "The parameter 'q' is required" },
  ),
  RequestTimeout: failure(
    'The body was not complete within 30 seconds. The connection is closed.',
    { error: 'Request timeout', message: 'The request body was not received in time' },
    limited,
  ),
  PayloadTooLarge: failure(
    'The body is larger than 16 KiB, or arrives in more than 1,000 pieces.',
    { error: 'Payload too large', message: 'Request body must not exceed 16 KiB and 1,000 pieces' },
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
  WeatherUnavailable: failure(
    'Every weather provider failed and there is no older data, or the service is overloaded.',
    {
      error: 'Service unavailable',
      message: 'The weather service is temporarily unavailable. Please try again later.',
    },
    { ...limited, ...retryAfter },
  ),
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
