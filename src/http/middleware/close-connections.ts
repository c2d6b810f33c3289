import type { AppMiddleware } from '../context.js';

/**
 * Makes every response close its connection while the process closes, also the response to a request that
 * arrived before: no client must send its next request over a connection that is about to be closed.
 * @param closing aborts when the process begins to close its connections
 */
export function closeConnections(closing: AbortSignal): AppMiddleware {
  return async (ctx, next) => {
    await next();
    if (closing.aborted) ctx.set('Connection', 'close');
  };
}
