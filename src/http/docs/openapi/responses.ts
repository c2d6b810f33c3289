/** The responses that several operations share, and how an operation says its own. */
import { ServiceUnavailableError, StoreUnavailableError } from '../../../errors.js';
import { tooLarge, tooSlow } from '../../body.js';
import { describe, type Description } from '../../errors.js';
import { REFUSAL } from '../../middleware/overload.js';
import { exceeded } from '../../middleware/rate-limit.js';
import {
  placeFromBody,
  placeFromQuery,
  pointFromQuery,
  suggestionFromQuery,
} from '../../validate.js';
import { cacheControl, freshness, rateLimit, requestId, retryAfter, setCookie } from './headers.js';
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

/** An error response. Its example has the words of an error as the service throws it. */
function failure(
  description: string,
  { title, message }: Description,
  headers: Record<string, Fields> = {},
): Response {
  const example = { error: title, message };
  return json('Error', description, example, { ...headers, ...cacheControl('no-store') });
}

/** What is told of the error that work throws because it is given something wrong. */
function thrownBy(work: () => unknown): Description {
  try {
    work();
  } catch (error) {
    return describe(error);
  }
  throw new Error('an example of an error must be one');
}

/** Refers to one of `responses`. */
export function shared(name: keyof typeof responses): Response {
  return { $ref: `#/responses/${name}` };
}

/** What every operation that counts towards a limit sends with an answer or a refusal. */
export const limited = { ...rateLimit, ...setCookie };

const NAME_FAULTS = `
| \`error\` | when |
|---|---|
| city must be a string, country must be a string | another type, or given more than once |
| city is too long, country is too long | more than 100 characters |
| city contains invalid characters, country contains invalid characters | \
characters or patterns that are not allowed |
| Geocoding failed | there is no such place |
`.trim();

export const responses = {
  NotModified: {
    description: 'The answer still has the entity tag that `If-None-Match` named. No body.',
    headers: { ...freshness, ...limited, ...requestId },
  },
  InvalidQuery: failure(
    `A query parameter is missing, breaks a rule, or names no place.\n\n${NAME_FAULTS}\n` +
      '| Missing required parameters | city or country is missing or blank |',
    thrownBy(() => placeFromQuery({})),
    limited,
  ),
  InvalidBody: failure(
    `The body is no JSON object, or a field is missing, breaks a rule, or names no place.\n\n` +
      `${NAME_FAULTS}\n` +
      '| Missing required fields | city or country is missing, `null` or blank |\n' +
      '| Invalid request | the body is empty, compressed, no JSON object, or not `application/json` |',
    thrownBy(() => placeFromBody({})),
    limited,
  ),
  InvalidCoordinates: failure(
    'A coordinate is missing or wrong, or no place is near.\n\n' +
      '| `error` | when |\n|---|---|\n' +
      '| Missing required parameters | lat or lon is missing or blank |\n' +
      '| Invalid coordinates | no decimal number, out of range, or given more than once |\n' +
      '| Geocoding failed | no place is near, as on the open sea |',
    thrownBy(() => pointFromQuery({ lat: '91', lon: '0' })),
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
    thrownBy(() => suggestionFromQuery({})),
  ),
  RequestTimeout: failure(
    'The body was not complete within 30 seconds. The connection is closed.',
    tooSlow(),
    limited,
  ),
  PayloadTooLarge: failure(
    'The body is larger than 16 KiB. The connection is closed.',
    tooLarge(),
    limited,
  ),
  RateLimited: failure(
    'A limit is exceeded: that of the client address (weather operations) or the total one.',
    exceeded({ limit: 30, resetMs: 12_000 }, 'per_ip'),
    { ...rateLimit, ...retryAfter },
  ),
  InternalError: failure(
    'Something unforeseen happened. The request id finds it in the log.',
    describe(new Error()),
  ),
  WeatherUnavailable: failure(
    'Every weather provider failed and no older data is left to give, or the service is overloaded.',
    describe(new ServiceUnavailableError('')),
    { ...limited, ...retryAfter },
  ),
  Overloaded: failure('The service is overloaded.', REFUSAL, retryAfter),
  StoreUnavailable: failure(
    'The store of the sessions cannot be reached, or the service is overloaded. Nothing is lost; ' +
      'try again.',
    describe(new StoreUnavailableError()),
    { ...rateLimit, ...retryAfter },
  ),
};
