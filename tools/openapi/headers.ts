import type { LocationEndpoint } from '../../src/http/endpoints/endpoint.js';
import type { Fields } from './types.js';

/** Response headers, in groups. OpenAPI 2.0 cannot refer to them. */

/** On every response. */
export const requestId = {
  'X-Request-ID': {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description:
      'ID of this request: the one that the client sent, if it is well-formed, else a new one.',
  },
};

/** The header that says what caches may do with a response. It has one value. */
export const cacheControl = (value: string) => ({
  'Cache-Control': { type: 'string', enum: [value], description: `Always \`${value}\`.` },
});

/** On public responses from memory: their age, and for how many seconds caches may store them. */
export const publicLifetime = (lifetimeSeconds: number) => ({
  Age: {
    type: 'integer',
    minimum: 0,
    description: 'Seconds since the service sent the response: above 0 if a cache sends it.',
  },
  ...cacheControl(`public, max-age=${lifetimeSeconds}`),
});

/** On responses of operations that count toward a limit; absent while all limits are turned off. */
export const rateLimit = {
  'X-RateLimit-Limit': {
    type: 'integer',
    minimum: 1,
    description:
      'Requests that are allowed per window, for the limit with the fewest requests left.',
  },
  'X-RateLimit-Remaining': {
    type: 'integer',
    minimum: 0,
    description: 'Requests that are left of that limit.',
  },
  'X-RateLimit-Reset': {
    type: 'integer',
    format: 'int64',
    description: 'Unix time in seconds at which a counted request leaves the window, rounded up.',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'The limits in the format of the IETF draft: the policies `ip` (client address) and `total`, ' +
      '`q` requests in `w` seconds each. A limit that is turned off is not listed.',
  },
  RateLimit: {
    type: 'string',
    description:
      'What is left of each limit: `r` requests; in `t` seconds a counted request leaves the window. ' +
      'A rejection lists the limit that rejected the request.',
  },
};

export const retryAfter = {
  'Retry-After': {
    type: 'integer',
    minimum: 1,
    description: 'Seconds to wait before the next request.',
  },
};

/** On responses that may create or renew a session. Absent if the client keeps its cookie. */
export const setCookie = {
  'Set-Cookie': {
    type: 'string',
    description: 'The signed cookie `session`, if the request created or renewed a session.',
  },
};

/** On a "Geocoding failed" for a name that is similar to others. */
export const similarPlaces = {
  Link: {
    type: 'string',
    description:
      'For each similar place of the country, at most three: the relative address of the same request for it, ' +
      '`rel="alternate"`, and its name in `title*` (RFC 8288, RFC 8187). Absent if there is none.',
  },
};

/** On responses to requests that may have parameters. */
export const ignoredParameters = {
  'X-Weather-Ignored-Parameters': {
    type: 'string',
    description:
      'Names of parameters, or of members of the body, that the endpoint does not have, such as `units`: the response is ' +
      'as without them. Absent if there are none.',
  },
};

/** The source and the age of the data, and how the response may be cached. */
export const freshness = {
  'X-Cache': {
    type: 'string',
    enum: ['HIT', 'MISS', 'COALESCED', 'STALE'],
    description:
      'HIT: from the cache. MISS: the first request of a process that waited for a fetch. COALESCED: ' +
      'the request waited for the same fetch. STALE: older data, because no fetch succeeded in time.',
  },
  Age: { type: 'integer', minimum: 0, description: 'Seconds since the data was fetched.' },
  'X-Weather-Provider': { type: 'string', description: 'The provider of the data.' },
  'X-Weather-Attribution': {
    type: 'string',
    description:
      'The attribution to show next to the data: text and link of the source. For the `demo` ' +
      'provider, it says that the weather is invented.',
  },
  ETag: { type: 'string', description: 'Weak entity tag of the response, for `If-None-Match`.' },
  ...ignoredParameters,
};

/** On responses of the current weather alone. */
const currentWeather = {
  'X-Weather-Point': {
    type: 'string',
    pattern: '^-?\\d{1,2}(\\.\\d{1,4})?,-?\\d{1,3}(\\.\\d{1,4})?$',
    description:
      'Latitude and longitude of the place that was found, with at most four decimals: ' +
      '`37.2153,-93.2982`. For coordinates, it is the place that `location` names.',
  },
  'X-Weather-Code': {
    type: 'integer',
    minimum: 0,
    maximum: 99,
    description: 'WMO weather code of `condition`; absent for `Unknown`.',
  },
  'X-Weather-Is-Day': {
    type: 'string',
    enum: ['0', '1'],
    description: '`1` while the sun is up at the location, else `0`.',
  },
};

/** On responses with texts in a language that the request can choose. */
const contentLanguage = {
  'Content-Language': { type: 'string', description: 'The language of `condition`.' },
};

/** The headers that only some endpoints about a location have. */
export const locationHeaders: Record<string, Fields> = { ...currentWeather, ...contentLanguage };

/** The headers of an endpoint about a location that others do not have. */
export const ownHeaders = ({ parameters }: LocationEndpoint): Record<string, Fields> =>
  'lang' in parameters ? contentLanguage : currentWeather;

/** How caches may store a response that is the same for everybody. */
export const publicCaching = {
  'Cache-Control': {
    type: 'string',
    pattern: '^public, max-age=\\d+, stale-if-error=\\d+$',
    description:
      'The response is the same for everybody, so shared caches may store it. `max-age` is the ' +
      'lifetime of the data since it was fetched, as `Age` is its age: both in seconds.',
  },
};

/** The headers that can be absent. A response always has the other headers of its description. */
export const OCCASIONAL_HEADERS: ReadonlySet<string> = new Set([
  ...Object.keys(rateLimit),
  ...Object.keys(setCookie),
  ...Object.keys(similarPlaces),
  ...Object.keys(ignoredParameters),
  'X-Weather-Attribution',
  'X-Weather-Code',
]);
