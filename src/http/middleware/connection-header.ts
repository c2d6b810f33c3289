import type { AppMiddleware } from '../context.js';

/**
 * Sets the `Connection` header where the choice of Node.js would lose something.
 *
 * While the process closes, every response closes its connection, also for a request that arrived earlier: otherwise a
 * client could send its next request over a connection that is about to be closed.
 *
 * If the client still sends the body of the request, the response does not close the connection, even if the client asks
 * for that: the client would not receive the response. `bounded-server.ts` closes the connection a second later.
 * @param closing aborts when the process begins to close its connections
 */
export function connectionHeader(closing: AbortSignal): AppMiddleware {
  return async (ctx, next) => {
    await next();
    if (closing.aborted) ctx.set('Connection', 'close');
    else if (!ctx.req.complete && !ctx.res.hasHeader('Connection')) {
      ctx.set('Connection', 'keep-alive');
    }
  };
}
