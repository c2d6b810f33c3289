import {
  ExpectedError,
  InvalidInputError,
  MissingInputError,
  StoreUnavailableError,
} from '../base/errors.js';
import {
  FetchLimitError,
  NotOfferedError,
  PlaceNotFoundError,
  ServiceUnavailableError,
  type SimilarPlace,
} from '../weather/errors.js';
import { jsonAnswer, type Answer } from './answer.js';

/** An error with its response, for code that cannot answer a request. */
export class HttpError extends ExpectedError {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export const RATE_LIMIT_TITLE = 'Rate limit exceeded';

/** Creates the error for a path that does not exist. */
export function pathNotFound(headers?: Record<string, string>): HttpError {
  const message =
    'This path does not exist. The documentation is at /apidocs/, the API description at /openapi.json.';
  return new HttpError(404, 'Not found', message, headers);
}

/**
 * Returns the answer to a request that failed.
 * @param query has been checked if the error is about a place
 * @param ignored the names of parameters and fields that have no effect; empty if there is none
 */
export function errorAnswer(error: unknown, query = '', ignored = ''): Answer {
  return { ...failureAnswer(failureOf(error, query, ignored)), error };
}

/** What a client learns of a failure. An error would cost a tenth of a rejection by a limit. */
export type Failure = Pick<HttpError, 'status' | 'title' | 'message' | 'headers'>;

/** Returns the answer for a failure. */
export function failureAnswer({ status, title, message, headers }: Failure): Answer {
  return jsonAnswer(status, { error: title, message }, { 'Cache-Control': 'no-store', ...headers });
}

/** Returns what the client learns of an error. Tests compare the API description with it. */
export function failureOf(error: unknown, query: string, ignored: string): Failure {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) {
    // A misspelled name is the likely reason why a parameter is missing.
    const isNamed = ignored !== '' && error instanceof MissingInputError;
    const hint = isNamed ? `. Without effect: ${ignored}` : '';
    return new HttpError(400, error.title, `${error.message}${hint}`);
  }
  if (error instanceof PlaceNotFoundError) {
    const links = similarLinks(query, error.similar);
    const headers = links === '' ? undefined : { Link: links };
    return new HttpError(400, 'Geocoding failed', error.message, headers);
  }
  if (error instanceof FetchLimitError) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return new HttpError(429, RATE_LIMIT_TITLE, error.message, headers);
  }
  if (error instanceof NotOfferedError) {
    const message = 'No weather provider of this service has this data for this place.';
    return serviceUnavailable(message, error.retryAfterSeconds);
  }
  if (error instanceof ServiceUnavailableError) {
    return temporarilyUnavailable('weather service', error.retryAfterSeconds);
  }
  if (error instanceof StoreUnavailableError) return temporarilyUnavailable('session store', 5);
  return new HttpError(500, 'Internal server error', 'An unexpected error occurred');
}

function temporarilyUnavailable(subject: string, retryAfterSeconds: number): HttpError {
  const message = `The ${subject} is temporarily unavailable. Please try again later.`;
  return serviceUnavailable(message, retryAfterSeconds);
}

/** Creates the error for a service that cannot respond now. */
export function serviceUnavailable(message: string, retryAfterSeconds: number): HttpError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new HttpError(503, 'Service unavailable', message, headers);
}

/** Maximum length of all links: headers must fit into the buffers of proxies (4 or 8 KiB). */
const MAX_LINKS_LENGTH = 1500;
/** Characters that `encodeURIComponent` keeps, but that RFC 8187 encodes. */
const NOT_ATTR_CHAR = /['()*]/g;

/**
 * Returns a `Link` header (RFC 8288) with the relative address of the same request for each place,
 * as GET, as far as they are not too long. The name is in `title*` (RFC 8187).
 */
export function similarLinks(query: string, places: SimilarPlace[]): string {
  const parameters = [...new URLSearchParams(query)];
  const others = parameters.filter(([name]) => name !== 'city' && name !== 'country');
  let links = '';
  for (const { city, country } of places) {
    const address = new URLSearchParams([['city', city], ['country', country], ...others]);
    const link = `<?${address.toString()}>; rel="alternate"; title*=UTF-8''${encodeExtendedValue(city)}`;
    const longer = links === '' ? link : `${links}, ${link}`;
    if (longer.length <= MAX_LINKS_LENGTH) links = longer;
  }
  return links;
}

function encodeExtendedValue(text: string): string {
  const hex = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(NOT_ATTR_CHAR, hex);
}
