import type { AppMiddleware } from '../context.js';
import { checkQuery, parseTarget } from '../request-target.js';

/**
 * Parses the target of each request, before all else. The router parses it again, by a library that throws
 * at some targets: it is given only what is safe to parse.
 */
export function target(): AppMiddleware {
  return (ctx, next) => {
    const { req, state } = ctx;
    const { path, query, isValid } = (state.target = parseTarget(req.url ?? ''));
    req.url = isValid && path !== '*' ? `${path}?${query}` : '/*';
    return next();
  };
}

/** Refuses a query that is too long, also where nobody reads it. */
export const boundedQuery: AppMiddleware = (ctx, next) => {
  checkQuery(ctx.state.target);
  return next();
};
