import type { Sessions } from '../../weather/recent-searches.js';
import { jsonAnswer } from '../answer.js';
import type { RequestSessions } from '../edge/session-cookie.js';
import type { Route } from '../context.js';

const CLEARED = { message: 'Recent searches cleared' };

/** The routes of the recent searches of a session: read and clear. */
export function recentSearchRoutes(options: {
  store: Sessions;
  sessions: Pick<RequestSessions, 'renewId'>;
}): Route[] {
  const { store, sessions } = options;
  const common: Omit<Route, 'method' | 'answer'> = {
    paths: ['/api/v1/recent-searches'],
    parameters: [],
    group: 'searches',
    session: 'existing',
  };
  return [
    {
      ...common,
      method: 'get',
      async answer({ state: { session } }) {
        const list = session ? await store.searches(session.id) : [];
        return jsonAnswer(200, { recent_searches: list }, { 'Cache-Control': 'private, no-store' });
      },
    },
    {
      ...common,
      method: 'delete',
      async answer(ctx) {
        const { session } = ctx.state;
        if (session) {
          await store.clearSearches(session.id);
          // A search that is recorded late, under the old ID, is never shown.
          await sessions.renewId(ctx);
        }
        return jsonAnswer(200, CLEARED, { 'Cache-Control': 'no-store' });
      },
    },
  ];
}
