import { cacheControl, rateLimit, setCookie } from './headers.js';
import { json, shared } from './responses.js';

/**
 * OpenAPI 2.0 has no `in: cookie`, so the session is described as what it is on the wire: the
 * request header `Cookie`.
 */
export const securityDefinitions = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Cookie',
    description:
      'The signed cookie `session`, as `session=…; session.sig=…`. Any weather request sets it. ' +
      'A browser keeps and sends it by itself, on this page too: there is nothing to fill in.',
  },
};

/** The same in OpenAPI 3.1. */
export const sessionCookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description:
    'The signed cookie `session`, with its signature in `session.sig`. Any weather request sets both. ' +
    'A browser keeps and sends them by itself.',
};

/** The empty one makes it optional: without a session the list is empty. */
const security = [{ session: [] }, {}];

const refusals = {
  429: shared('RateLimited'),
  500: shared('InternalError'),
  503: shared('StoreUnavailable'),
};

/** The recent searches of the session that the cookie names. */
export const searchesPaths = {
  '/api/v1/recent-searches': {
    get: {
      tags: ['searches'],
      operationId: 'getRecentSearches',
      summary: 'List recent searches',
      description: 'At most ten, newest first. Without a session the list is empty.',
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
      description: 'Empties the list of this session. Succeeds without a session too.',
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
