import Router from '@koa/router';
import { emptyAnswer, type Answer } from '../answer.js';
import type { AppContext, AppMiddleware, RequestState } from '../context.js';
import { HttpError, pathNotFound } from '../error-answers.js';
import { checkQuery } from '../input/request-target.js';
import type { Route } from '../route.js';

/** Sets the answer to a request whose route is known. */
export type Handle = (ctx: AppContext, route: Route) => Promise<void>;

/** Creates the router, which hands each request to its route. */
export function createRouter(routes: readonly Route[], handle: Handle): Router<RequestState> {
  // A path with a trailing slash, or in another case, is a different path.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of routes) {
    router[route.method](route.paths, (ctx) => {
      ctx.state.target.route = route;
      return handle(ctx, route);
    });
  }
  return router;
}

/**
 * Creates the middleware before the router. A known target has its route: the search of the router would cost a tenth of a
 * hit. For others, it gives the router the path, because Koa would parse the URL again, and throws for some complete URLs.
 */
export function createShortcut(handle: Handle): AppMiddleware {
  return (ctx, next) => {
    const { route, path } = ctx.state.target;
    if (route) return handle(ctx, route);
    ctx['newRouterPath'] = path;
    return next();
  };
}

/** Returns the answer to a request that has no route. @throws HttpError 404 or 405 */
export function answerWithoutRoute(ctx: AppContext): Answer {
  checkQuery(ctx.state.target);
  // The router sets it if the path has other methods, and empties it for methods that it does not know.
  const allowed = ctx.response.get('Allow');
  ctx.remove('Allow');
  if (!allowed) throw pathNotFound();
  const allow = { Allow: `${allowed}, OPTIONS` };
  if (ctx.method === 'OPTIONS') return emptyAnswer(204, allow);
  throw new HttpError(405, 'Method not allowed', `This resource offers ${allow.Allow}`, allow);
}
