import type Router from '@koa/router';
import type { Sessions } from '../../weather/searches.js';
import type { AppMiddleware, RequestState } from '../context.js';

/** A session's recent searches: read and clear. @param options `guards` run first, in order */
export function searchRoutes(
  router: Router<RequestState>,
  options: { sessions: Sessions; guards: AppMiddleware[] },
): void {
  const { sessions, guards } = options;
  const path = '/api/v1/recent-searches';

  router.get(path, ...guards, async (ctx) => {
    const { cookie, scope } = ctx.state;
    const list = cookie ? await sessions.searches(cookie.id, scope) : [];
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = { recent_searches: list };
  });

  router.delete(path, ...guards, async (ctx) => {
    const { cookie, scope } = ctx.state;
    if (cookie) await sessions.clearSearches(cookie.id, scope);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { message: 'Recent searches cleared' };
  });
}
