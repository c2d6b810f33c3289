import type { AppMiddleware } from '../context.js';

/**
 * Part of a graceful shutdown: while the process closes, every response closes its connection, also
 * for a request that arrived earlier. Otherwise a client could send its next request over a
 * connection that is about to be closed.
 * @param closing aborts when the process begins to close its connections
 */
export function closeConnections(closing: AbortSignal): AppMiddleware {
  return async (ctx, next) => {
    await next();
    if (closing.aborted) ctx.set('Connection', 'close');
  };
}
