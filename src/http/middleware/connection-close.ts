import type { AppMiddleware } from '../context.js';

/**
 * While the process closes, every answer ends its connection, also those to requests that came
 * before: nobody must send the next request over a connection that is about to go.
 */
export function connectionClose(closing: () => boolean): AppMiddleware {
  return async (ctx, next) => {
    await next();
    if (closing()) ctx.set('Connection', 'close');
  };
}
