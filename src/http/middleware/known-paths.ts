import type Router from '@koa/router';
import type { AppMiddleware, RequestState } from '../context.js';
import { HttpError, pathNotFound } from '../error-responses.js';

/**
 * Responds to requests without a route: 204 to OPTIONS on a known path, 405 with `Allow` to any other method there, and
 * 404 otherwise.
 * @param others paths that are not served by the router, with their methods
 */
export function knownPaths(
  router: Router<RequestState>,
  others: ReadonlyMap<string, string[]>,
): AppMiddleware {
  return (ctx) => {
    const { path } = ctx.state.target;
    const routed = router.match(path, ctx.method).path.flatMap((layer) => layer.methods);
    const methods = new Set([...routed, ...(others.get(path) ?? [])]);
    if (methods.size === 0) throw pathNotFound();
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
