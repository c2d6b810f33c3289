import type { Logger } from '../../process/log.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { answerWith, describe } from '../error-responses.js';

/** The one place where an error becomes a response. What is not known here tells no detail. */
export function errors(): AppMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      const description = describe(error);
      answerWith(ctx, description);
      // What the client still sends of its body is of no use.
      if (description.status === 408 || description.status === 413) ctx.set('Connection', 'close');
    }
  };
}

/**
 * Logs why a response could not be sent. An error of the connection, such as a client that has left, is no error of
 * this service. If the response had not begun, the record of the request tells of it.
 */
export function responseFailures(log: Logger): (error: unknown, ctx: AppContext) => void {
  return (error, ctx) => {
    const about = { request_id: ctx.state.requestId };
    if (!ctx.req.socket.destroyed) log.error({ event: 'response_failed', ...about, err: error });
    else if (ctx.headerSent) {
      const { code: reason } = error as NodeJS.ErrnoException;
      log.info({ event: 'response_aborted', ...about, reason });
    }
  };
}
