import type Router from '@koa/router';
import type { AppMiddleware, RequestState } from '../context.js';
import { HttpError, notFound } from '../error-responses.js';

/**
 * Answers what no route has taken: OPTIONS on a known path is 204, another method that the path does not
 * offer is 405 with `Allow`, anything else 404.
 * @param others paths that are served beside the router, with their methods
 */
export function knownPaths(
  router: Router<RequestState>,
  others: ReadonlyMap<string, string[]>,
): AppMiddleware {
  return (ctx) => {
    const { path } = ctx.state.target;
    const routed = router.match(path, ctx.method).path.flatMap((layer) => layer.methods);
    const methods = new Set([...routed, ...(others.get(path) ?? [])]);
    if (methods.size === 0) throw notFound();
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (ctx.method !== 'OPTIONS') {
      throw new HttpError(405, 'Method not allowed', `This resource offers ${allow}`, {
        Allow: allow,
      });
    }
    ctx.set('Allow', allow);
    ctx.status = 204;
  };
}
