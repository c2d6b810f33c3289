import type { Context } from 'koa';
import {
  EverydayError,
  InvalidInputError,
  PlaceNotFoundError,
  ServiceUnavailableError,
  StoreUnavailableError,
} from '../errors.js';
import { setHeaders } from './set-headers.js';

/** The body of every error. */
export interface ErrorBody {
  error: string;
  message: string;
}

/** An error of HTTP itself, or one that is an answer already: thrown by the middleware here. */
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

/** What a path answers where there is nothing. */
export function notFound(): HttpError {
  return new HttpError(404, 'Not found', 'The requested resource does not exist');
}

/** What an error says to the caller. */
export type Description = Pick<HttpError, 'status' | 'title' | 'message' | 'headers'>;

/**
 * Answers with an error. Refusals under load call this themselves: an error that is thrown through all
 * middleware costs a twentieth of the whole refusal.
 */
export function answerWith(ctx: Context, { status, title, message, headers }: Description): void {
  setHeaders(ctx, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  setHeaders(ctx, headers);
  ctx.status = status;
  ctx.body = JSON.stringify({ error: title, message } satisfies ErrorBody);
}

/** What is told of an error: the words of the documentation's examples, too. */
export function describe(error: unknown): Description {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) return description(400, error.title, error.message);
  if (error instanceof PlaceNotFoundError) {
    return description(400, 'Geocoding failed', error.message);
  }
  if (error instanceof ServiceUnavailableError) {
    return unavailable(
      'The weather service is temporarily unavailable. Please try again later.',
      error.retryAfterSeconds,
    );
  }
  if (error instanceof StoreUnavailableError) {
    return unavailable('The session store is temporarily unavailable. Please try again later.', 5);
  }
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

function unavailable(message: string, retryAfterSeconds: number): Description {
  return description(503, 'Service unavailable', message, {
    'Retry-After': String(retryAfterSeconds),
  });
}
