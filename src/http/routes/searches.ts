import type Router from '@koa/router';
import type { RecentSearches } from '../../weather/searches.js';
import type { AppMiddleware, RequestState } from '../context.js';

/** A session's recent searches: read and clear. */
export function searchRoutes(
  router: Router<RequestState>,
  options: { searches: RecentSearches; admit: AppMiddleware; session: AppMiddleware },
): void {
  const { searches, admit, session } = options;
  const path = '/api/v1/recent-searches';

  router.get(path, admit, session, async (ctx) => {
    const { session: own, scope } = ctx.state;
    const list = own && !own.isNew ? await searches.list(own.id, scope) : [];
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = { recent_searches: list };
  });

  router.delete(path, admit, session, async (ctx) => {
    const { session: own, scope } = ctx.state;
    if (own && !own.isNew) await searches.clear(own.id, scope);
    ctx.body = { message: 'Recent searches cleared' };
  });
}
