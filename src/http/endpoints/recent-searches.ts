import type { Sessions } from '../../weather/recent-searches.js';
import { jsonAnswer } from '../answer.js';
import { cacheControl, rateLimit, setCookie } from '../description/headers.js';
import { json, shared } from '../description/responses.js';
import { definitionsOf, listOf, objectSchema, text, type ValueOf } from '../description/schemas.js';
import type { DescriptionPart } from '../description/types.js';
import type { RequestSessions } from '../edge/session-cookie.js';
import type { Route } from '../route.js';

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

/** The routes of the recent searches of a session: read and clear. */
export function recentSearchRoutes(options: {
  store: Sessions;
  sessions: Pick<RequestSessions, 'renewId'>;
}): Route[] {
  const { store, sessions } = options;
  const about = { paths: [PATH], group: 'searches' as const, session: 'existing' as const };
  return [
    {
      ...{ ...about, method: 'get' },
      async answer({ state: { session } }) {
        const list = session ? await store.searches(session.id) : [];
        const body: ValueOf<typeof LIST> = { recent_searches: list };
        return jsonAnswer(200, body, { 'Cache-Control': 'private, no-store' });
      },
    },
    {
      ...{ ...about, method: 'delete' },
      async answer(ctx) {
        const { session } = ctx.state;
        if (session) {
          await store.clearSearches(session.id);
          // A search that is recorded late, under the old ID, is never shown.
          await sessions.renewId(ctx);
        }
        return jsonAnswer(200, CLEARED.example, { 'Cache-Control': 'no-store' });
      },
    },
  ];
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
