import { cacheControl, rateLimit, setCookie } from './headers.js';
import { json, shared } from './responses.js';

/**
 * OpenAPI 2.0 has no `in: cookie`, so the session is described as the request header `Cookie`.
 */
export const securityDefinitions = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Cookie',
    description:
      'The signed cookie `session`, as `session=…; session.sig=…`. Any weather request sets it. ' +
      'A browser stores and sends it by itself, also on this page: leave the field empty.',
  },
};

/** The same in OpenAPI 3.1. */
export const sessionCookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description:
    'The signed cookie `session`, with its signature in `session.sig`. Any weather request sets both. ' +
    'A browser stores and sends them by itself.',
};

/** The empty requirement makes the session optional. Without a session, the list is empty. */
const security = [{ session: [] }, {}];

const refusals = {
  429: shared('RateLimited'),
  500: shared('InternalError'),
  503: shared('StoreUnavailable'),
};

/** The recent searches of a session. */
export const searchesPaths = {
  '/api/v1/recent-searches': {
    get: {
      tags: ['searches'],
      operationId: 'getRecentSearches',
      summary: 'List recent searches',
      description: 'At most ten, the newest first. Without a session, the list is empty.',
      security,
      responses: {
        200: json(
          'RecentSearches',
          'The searches of this session.',
          {
            recent_searches: [
              { city: 'Paris', country: 'France' },
              { city: '東京', country: 'Japan' },
            ],
          },
          { ...rateLimit, ...cacheControl('private, no-store') },
        ),
        ...refusals,
      },
    },
    delete: {
      tags: ['searches'],
      operationId: 'clearRecentSearches',
      summary: 'Clear recent searches',
      description: 'Empties the list of this session. Also succeeds without a session.',
      security,
      responses: {
        200: json(
          'Message',
          'The list is empty now.',
          { message: 'Recent searches cleared' },
          { ...rateLimit, ...setCookie, ...cacheControl('no-store') },
        ),
        ...refusals,
      },
    },
  },
};
