import type Router from '@koa/router';
import type { Sessions } from '../../weather/recent-searches.js';
import type { AppMiddleware, RequestState } from '../context.js';
import { cacheControl, rateLimit, setCookie } from '../description/headers.js';
import { json, shared } from '../description/responses.js';
import { definitionsOf, listOf, objectSchema, text, type ValueOf } from '../description/schemas.js';
import type { DescriptionPart } from '../description/types.js';
import type { RequestSessions } from '../middleware/session-cookie.js';

const PATH = '/api/v1/recent-searches';

const SEARCH = objectSchema('RecentSearch', {
  city: [text('In its newest spelling.'), 'Paris'],
  country: [text('In its newest spelling.'), 'France'],
});

const LIST = objectSchema('RecentSearches', {
  recent_searches: [
    listOf(SEARCH, {
      maxItems: 10,
      description: 'Newest first; a repeated search moves to the front.',
    }),
    [SEARCH.example, { city: '東京', country: 'Japan' }],
  ],
});

const CLEARED = objectSchema('Message', { message: [text(), 'Recent searches cleared'] });

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

  router.get(PATH, ...middleware, async (ctx) => {
    const { session: current } = ctx.state;
    const list = current ? await sessions.searches(current.id) : [];
    const body: ValueOf<typeof LIST> = { recent_searches: list };
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = body;
  });

  router.delete(PATH, ...middleware, async (ctx) => {
    const { session: current } = ctx.state;
    if (current) {
      await sessions.clearSearches(current.id);
      // A search that is recorded late, under the old ID, is never shown.
      await session.renewId(ctx);
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.body = CLEARED.example;
  });
}

/** The empty requirement makes the session optional. Without a session, the list is empty. */
const security = [{ session: [] }, {}];

export const describeRecentSearches = (): DescriptionPart => {
  const rejections = {
    429: shared('RateLimited'),
    500: shared('InternalError'),
    503: shared('StoreUnavailable'),
  };
  return {
    definitions: definitionsOf(LIST, CLEARED),
    paths: {
      [PATH]: {
        get: {
          tags: ['searches'],
          operationId: 'getRecentSearches',
          summary: 'List recent searches',
          description: 'At most ten, the newest first. Without a session, the list is empty.',
          security,
          responses: {
            200: json(LIST, 'The searches of this session.', LIST.example, {
              ...rateLimit,
              ...cacheControl('private, no-store'),
            }),
            ...rejections,
          },
        },
        delete: {
          tags: ['searches'],
          operationId: 'clearRecentSearches',
          summary: 'Clear recent searches',
          description: 'Empties the list of this session. Also succeeds without a session.',
          security,
          responses: {
            200: json(CLEARED, 'The list is empty now.', CLEARED.example, {
              ...rateLimit,
              ...setCookie,
              ...cacheControl('no-store'),
            }),
            ...rejections,
          },
        },
      },
    },
  };
};
