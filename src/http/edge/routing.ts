import Router, { type RouterMiddleware } from '@koa/router';
import { emptyAnswer, type Answer } from '../answer.js';
import type { AppContext, RequestState } from '../context.js';
import { HttpError, pathNotFound } from '../error-answers.js';
import { checkQuery } from '../input/request-target.js';
import type { Route } from '../route.js';

/** Creates the function that finds the route of a request. */
export function createRouting(routes: readonly Route[]) {
  // A path with a trailing slash, or in another case, is a different path.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  /** The edge checks the queries of these paths after the limits have counted the request. */
  const limited = new Set<string>();
  for (const route of routes) {
    router[route.method](route.paths, (ctx) => void (ctx.state.target.route = route));
    if (route.group) for (const path of route.paths) limited.add(path);
  }
  const dispatch = router.routes();

  async function find(ctx: AppContext): Promise<Route | Answer> {
    const { target } = ctx.state;
    if (!target.isValid) {
      throw new HttpError(400, 'Bad request', 'The request target must be a path or a valid URL');
    }
    if (!limited.has(target.path)) checkQuery(target);
    // Koa would parse the URL again, by a library that throws for some targets.
    const routed = Object.create(ctx, { path: { value: target.path } }) as RoutedContext;
    await dispatch(routed, () => Promise.resolve());
    if (target.route) return target.route;
    const methods = new Set(routed.matched.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw pathNotFound();
    const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };
    if (ctx.method === 'OPTIONS') return emptyAnswer(204, allow);
    throw new HttpError(405, 'Method not allowed', `This resource offers ${allow.Allow}`, allow);
  }

  /** Finds the route of a request, or the answer to OPTIONS on a known path. @throws HttpError 400, 404, or 405 */
  return (ctx: AppContext): Route | Answer | Promise<Route | Answer> =>
    ctx.state.target.route ?? find(ctx);
}

type RoutedContext = Parameters<RouterMiddleware<RequestState>>[0] & {
  matched: { methods: string[] }[];
};
