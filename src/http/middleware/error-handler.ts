import type { Logger } from '../../process/log.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { sendError, describe } from '../error-responses.js';

/** Turns every error into a response. The response to an unexpected error reveals no detail. */
export function errors(): AppMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      const description = describe(error, ctx.state.target);
      sendError(ctx, description);
      // The connection cannot be used again before the rest of the body has arrived.
      if (description.status === 408) ctx.set('Connection', 'close');
    }
  };
}

/**
 * Logs why a response could not be sent. If the client has closed the connection, this is not an
 * error of the service: if the response had begun, a record at INFO is written, and otherwise only
 * the record of the request.
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
