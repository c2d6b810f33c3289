/** The responses that several operations share, and functions that describe a response. */
import { cacheControl, rateLimit, requestId, retryAfter, setCookie } from './headers.js';
import { objectSchema, text, type ObjectSchema } from '../../src/http/description/schemas.js';
import type { FaultRow } from './input-rules.js';
import type { Fields, Response } from './types.js';

export const ERROR = objectSchema('Error', {
  error: [
    text('Short title of the error. Decide by it and by the status: `message` is for people.'),
    'Geocoding failed',
  ],
  message: [
    text('Explanation of the error, in a sentence.'),
    "No place called 'Atlantis' was found in 'Greece'",
  ],
});

/** A response with a JSON body. @param example a value of the schema */
export function json<Value extends object>(
  { name }: Pick<ObjectSchema<Value>, 'name'>,
  description: string,
  example: NoInfer<Value>,
  headers: Record<string, Fields> = {},
): Response {
  return {
    description,
    schema: { $ref: `#/definitions/${name}` },
    headers: { ...headers, ...requestId },
    examples: { 'application/json': example },
  };
}

/** An error response. A test compares the example with the error that the service throws. */
export function failure(
  description: string,
  example: { error: string; message: string },
  headers: Record<string, Fields> = {},
): Response {
  return json(ERROR, description, example, { ...headers, ...cacheControl('no-store') });
}

/** A table of the titles of errors, in Markdown. */
export function faultTable(rows: FaultRow[]): string {
  const lines = rows.map(({ error, condition }) => `| ${error} | ${condition} |`);
  return ['| `error` | when |', '|---|---|', ...lines].join('\n');
}

/** Refers to one of `sharedResponses`. */
export function shared(name: keyof ReturnType<typeof sharedResponses>): Response {
  return { $ref: `#/responses/${name}` };
}

/** The headers of every operation that counts toward a limit, except on a 429. */
export const limited = { ...rateLimit, ...setCookie };

/** The response to a conditional request whose data has not changed. */
export const notModified = (headers: Record<string, Fields>): Response => ({
  description: 'The response would have the entity tag that `If-None-Match` names. It has no body.',
  headers: { ...headers, ...requestId },
});

const ALL_FAILED =
  'Every weather provider failed and there is no older data, or the service is overloaded.';
const UNAVAILABLE = {
  error: 'Service unavailable',
  message: 'The weather service is temporarily unavailable. Please try again later.',
};

/** The responses to which operations refer, by their names. */
export const sharedResponses = () => ({
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
    'A limit is exceeded: the limit per client address, or the total limit (which suggestions do not have).',
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
});
