import type { ServerResponse } from 'node:http';
import {
  InvalidInputError,
  PlaceNotFoundError,
  ServiceUnavailableError,
  StoreUnavailableError,
} from '../../errors.js';
import type { AppContext, AppMiddleware } from '../context.js';

/** The body of every error. */
export interface ErrorBody {
  error: string;
  message: string;
}

/** An error of HTTP itself, or one that is an answer already: thrown by the middleware here. */
export class HttpError extends Error {
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

/** The one place where an error becomes a response. What is not known here tells no detail. */
export function errors(): AppMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      const { status, title, message, headers } = describe(error);
      ctx.set(headers);
      ctx.status = status;
      ctx.body = { error: title, message } satisfies ErrorBody;
      if (status === 408 || status === 413) closeAfter(ctx);
    }
  };
}

function describe(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) return new HttpError(400, error.title, error.message);
  if (error instanceof PlaceNotFoundError) {
    return new HttpError(400, 'Geocoding failed', error.message);
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
  return new HttpError(500, 'Internal server error', 'An unexpected error occurred');
}

function unavailable(message: string, retryAfterSeconds: number): HttpError {
  return new HttpError(503, 'Service unavailable', message, {
    'Retry-After': String(retryAfterSeconds),
  });
}

/** What the client still sends of its body is of no use: it is told so, and cut off. */
function closeAfter(ctx: AppContext): void {
  ctx.set('Connection', 'close');
  const response: ServerResponse = ctx.res;
  response.once('finish', () => ctx.req.destroy());
}
