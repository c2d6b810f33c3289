import Router from '@koa/router';
import { emptyAnswer, type Answer } from '../answer.js';
import type { AppContext, RequestState, Route } from '../context.js';
import { HttpError, pathNotFound } from '../error-answers.js';
import { checkQuery } from '../input/request-target.js';
import type { Handle } from './handle.js';

/** Creates the router, which hands each request to its route. */
export function createRouter(routes: readonly Route[], handle: Handle): Router<RequestState> {
  // A path with a trailing slash, or in another case, is a different path.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of routes) {
    router[route.method](route.paths, (ctx) => handle(ctx, route));
  }
  return router;
}

/** Returns the answer to a request that has no route. @throws HttpError 404 or 405 */
export function answerWithoutRoute(ctx: AppContext): Answer {
  checkQuery(ctx.state.target);
  // Set if the path has other methods, and empty for methods that the router does not know.
  const allowed = ctx.response.get('Allow');
  ctx.remove('Allow');
  if (!allowed) throw pathNotFound();
  const allow = { Allow: `${allowed}, OPTIONS` };
  if (ctx.method === 'OPTIONS') {
    // Removes the empty text of the router: a 204 has no `Content-Length`.
    ctx.body = null;
    return emptyAnswer(204, allow);
  }
  throw new HttpError(405, 'Method not allowed', `This resource offers ${allow.Allow}`, allow);
}
