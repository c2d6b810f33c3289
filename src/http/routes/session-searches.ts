import type Router from '@koa/router';
import type { Sessions } from '../../weather/recent-searches.js';
import type { AppMiddleware, RequestState } from '../context.js';
import type { RequestSessions } from '../middleware/session-cookie.js';

/** Serves the recent searches of a session: read and clear. @param options `middleware` runs first, in order */
export function recentSearchRoutes(
  router: Router<RequestState>,
  options: {
    sessions: Sessions;
    session: Pick<RequestSessions, 'renewId'>;
    middleware: AppMiddleware[];
  },
): void {
  const { sessions, session, middleware } = options;
  const path = '/api/v1/recent-searches';

  router.get(path, ...middleware, async (ctx) => {
    const { session: current } = ctx.state;
    const list = current ? await sessions.searches(current.id) : [];
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = { recent_searches: list };
  });

  router.delete(path, ...middleware, async (ctx) => {
    const { session: current } = ctx.state;
    if (current) {
      await sessions.clearSearches(current.id);
      // A search that is recorded late, under the old ID, is never shown.
      await session.renewId(ctx);
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { message: 'Recent searches cleared' };
  });
}
