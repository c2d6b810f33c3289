import type Router from '@koa/router';
import type { Sessions } from '../../recent-searches.js';
import type { AppMiddleware, RequestState } from '../context.js';
import type { RequestSessions } from '../middleware/session.js';

/** A session's recent searches: read and clear. @param options `guards` run first, in order */
export function searchRoutes(
  router: Router<RequestState>,
  options: {
    sessions: Sessions;
    session: Pick<RequestSessions, 'renewId'>;
    guards: AppMiddleware[];
  },
): void {
  const { sessions, session, guards } = options;
  const path = '/api/v1/recent-searches';

  router.get(path, ...guards, async (ctx) => {
    const { session: current } = ctx.state;
    const list = current ? await sessions.searches(current.id) : [];
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = { recent_searches: list };
  });

  router.delete(path, ...guards, async (ctx) => {
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
