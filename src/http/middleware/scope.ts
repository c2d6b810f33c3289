import { activeSpan } from '../../process/tracing.js';
import { STORE_TIME_MS, type Scope } from '../../weather/scope.js';
import { readTraceParent } from '../../weather/trace.js';
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
      storeMs: STORE_TIME_MS,
      trace: { parent: activeSpan() ?? readTraceParent(ctx.req.headers) },
    } satisfies Scope;
    return next();
  };
}
