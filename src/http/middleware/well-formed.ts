import type { AppMiddleware } from '../context.js';
import { checkQuery } from '../request-target.js';
import { HttpError } from '../error-responses.js';

/**
 * Rejects (400) a target that is neither a path nor a URL, which Node.js accepts, and a query that is too long.
 * @param isLimited whether rate limits count the requests for a path: `boundedQuery` then checks the query after them
 */
export function wellFormed(isLimited: (path: string) => boolean): AppMiddleware {
  return (ctx, next) => {
    const { target } = ctx.state;
    if (!target.isValid) {
      throw new HttpError(400, 'Bad request', 'The request target must be a path or a valid URL');
    }
    if (!isLimited(target.path)) checkQuery(target);
    return next();
  };
}

/** Rejects (400) a query that is too long, even if the endpoint has no parameters. */
export const boundedQuery: AppMiddleware = (ctx, next) => {
  checkQuery(ctx.state.target);
  return next();
};
