import type { ServerResponse } from 'node:http';
import type { Logger } from '../../process/log.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { answerWith, describe } from '../errors.js';

/** The one place where an error becomes a response. What is not known here tells no detail. */
export function errors(): AppMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      const description = describe(error);
      answerWith(ctx, description);
      if (description.status === 408 || description.status === 413) closeAfter(ctx);
    }
  };
}

/**
 * Tells why a response could not be sent. A client that went away is no error; before the response
 * had begun, the request's own record tells of it.
 */
export function responseFailures(log: Logger): (error: unknown, ctx: AppContext) => void {
  return (error, ctx) => {
    const about = { request_id: ctx.state.requestId };
    if (!isOfConnection(error)) log.error({ event: 'response_failed', ...about, err: error });
    else if (ctx.headerSent) {
      log.info({ event: 'response_aborted', ...about, reason: error.code });
    }
  };
}

/** Only the calls for the connection itself are made on the way of a response. */
function isOfConnection(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** What the client still sends of its body is of no use: it is told so, and cut off. */
function closeAfter(ctx: AppContext): void {
  ctx.set('Connection', 'close');
  const response: ServerResponse = ctx.res;
  response.once('finish', () => ctx.req.destroy());
}
