import type { Scope } from '../../weather/request-scope.js';
import { readTraceId } from '../../weather/trace.js';
import type { Clock } from '../../weather/types.js';
import type { AppMiddleware } from '../context.js';

/**
 * Gives each request its scope.
 * @param timeoutMs the longest that any request may take
 * @param signal aborts when the process ends
 */
export function scope(options: {
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}): AppMiddleware {
  const { clock, timeoutMs, signal } = options;
  return (ctx, next) => {
    ctx.state.scope = {
      signal,
      deadline: clock.monotonic() + timeoutMs,
      trace: { traceId: readTraceId(ctx.req.headers['traceparent']) },
    } satisfies Scope;
    return next();
  };
}
