import { randomUUID } from 'node:crypto';
import type { AppMiddleware } from '../context.js';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** A well-formed request id; a new one is made in place of anything else. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && WELL_FORMED.test(given) ? given : randomUUID();
}

/** Keeps the caller's `X-Request-ID` or gives one, on every response and in every record. */
export function requestId(): AppMiddleware {
  return (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.get('X-Request-ID'));
    ctx.res.setHeader('X-Request-ID', ctx.state.requestId);
    return next();
  };
}
