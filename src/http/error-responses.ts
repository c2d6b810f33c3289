import type { Context } from 'koa';
import {
  EverydayError,
  InvalidInputError,
  PlaceNotFoundError,
  ServiceUnavailableError,
  StoreUnavailableError,
} from '../errors.js';
import { setHeaders } from './set-headers.js';

/** The body of every error response. */
export interface ErrorBody {
  error: string;
  message: string;
}

/** An error that is already described as a response. The middleware throw it. */
export class HttpError extends EverydayError {
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

/** Creates the error for a path that does not exist. */
export function notFound(): HttpError {
  return new HttpError(404, 'Not found', 'The requested resource does not exist');
}

/** The parts of an error response. */
export type Description = Pick<HttpError, 'status' | 'title' | 'message' | 'headers'>;

/**
 * Responds with an error. The rate limits and the overload protection call this instead of throwing: an error that
 * passes all middleware costs a twentieth of a rejected request.
 */
export function answerWith(ctx: Context, { status, title, message, headers }: Description): void {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.res.setHeader('Cache-Control', 'no-store');
  setHeaders(ctx, headers);
  ctx.status = status;
  ctx.body = JSON.stringify({ error: title, message } satisfies ErrorBody);
}

/** Describes an error for the client. The tests compare the examples of the API description with it. */
export function describe(error: unknown): Description {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) return description(400, error.title, error.message);
  if (error instanceof PlaceNotFoundError) {
    return description(400, 'Geocoding failed', error.message);
  }
  if (error instanceof ServiceUnavailableError) {
    return unavailable('weather service', error.retryAfterSeconds);
  }
  if (error instanceof StoreUnavailableError) return unavailable('session store', 5);
  return description(500, 'Internal server error', 'An unexpected error occurred');
}

export function description(
  status: number,
  title: string,
  message: string,
  headers: Record<string, string> = {},
): Description {
  return { status, title, message, headers };
}

function unavailable(subject: string, retryAfterSeconds: number): Description {
  const message = `The ${subject} is temporarily unavailable. Please try again later.`;
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return description(503, 'Service unavailable', message, headers);
}
