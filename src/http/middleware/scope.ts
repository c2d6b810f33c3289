import { StoreTime, type Scope } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { AppMiddleware } from '../context.js';
import { traceIdOf } from '../traceparent.js';

/**
 * What a request may wait for Redis outside its lookup, in milliseconds. The rest of the 250 ms that
 * it may wait in all belongs to the lookup, which several requests can share. With less time here,
 * limits would not be exact on a Redis that answers within 100 ms give or take a half.
 */
const STORE_TIME_MS = 155;

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
      storeTime: new StoreTime(STORE_TIME_MS),
      trace: { traceId: traceIdOf(ctx.req.headers['traceparent']) },
    } satisfies Scope;
    return next();
  };
}
