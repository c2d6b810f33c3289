import { listOf, objectSchema, text } from '../../src/http/description/schemas.js';
import { RECENT_SEARCHES_PATH } from '../../src/http/endpoints/recent-search-routes.js';
import { definitionsOf } from './definitions.js';
import { cacheControl, ignoredParameters, rateLimit, setCookie } from './headers.js';
import { json, shared } from './responses.js';
import type { DescriptionPart } from './types.js';

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

/** The empty requirement makes the session optional. Without a session, the list is empty. */
const security = [{ session: [] }, {}];

/** Describes the operations on the recent searches. */
export const describeRecentSearches = (): DescriptionPart => {
  const rejections = {
    429: shared('RateLimited'),
    500: shared('InternalError'),
    503: shared('StoreUnavailable'),
  };
  return {
    definitions: definitionsOf(LIST, CLEARED),
    paths: {
      [RECENT_SEARCHES_PATH]: {
        get: {
          tags: ['searches'],
          operationId: 'getRecentSearches',
          summary: 'List recent searches',
          description: 'At most ten, the newest first. Without a session, the list is empty.',
          security,
          responses: {
            200: json(LIST, 'The searches of this session.', LIST.example, {
              ...ignoredParameters,
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
              ...ignoredParameters,
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
