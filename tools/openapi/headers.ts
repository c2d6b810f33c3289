/** Response headers, in groups that belong together. OpenAPI 2.0 has no way to refer to them. */

/** On every response. */
export const requestId = {
  'X-Request-ID': {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: 'Id of this request: the one that was sent, if well-formed, else a fresh one.',
  },
};

/** What caches may do with a response: always this one value. */
export const cacheControl = (value: string) => ({
  'Cache-Control': { type: 'string', enum: [value], description: `Always \`${value}\`.` },
});

/** On responses of operations that count towards a limit; absent while all limits are turned off. */
export const rateLimit = {
  'X-RateLimit-Limit': {
    type: 'integer',
    minimum: 1,
    description: 'Requests that the limit with the fewest left admits in its window.',
  },
  'X-RateLimit-Remaining': {
    type: 'integer',
    minimum: 0,
    description: 'Requests left of that limit.',
  },
  'X-RateLimit-Reset': {
    type: 'integer',
    format: 'int64',
    description: 'Unix time in seconds at which a counted request leaves the window, rounded up.',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'The limits as the IETF draft has them: the policy `ip` of the client address and `total`, ' +
      '`q` requests in `w` seconds each. A limit that is turned off is not listed.',
  },
  RateLimit: {
    type: 'string',
    description:
      'What is left of each: `r` requests; in `t` seconds a counted one leaves the window. A ' +
      'refusal lists the limit that refused.',
  },
};

export const retryAfter = {
  'Retry-After': {
    type: 'integer',
    minimum: 1,
    description: 'Seconds to wait before the next try.',
  },
};

/** On responses of weather operations, unless the session is known already. */
export const setCookie = {
  'Set-Cookie': {
    type: 'string',
    description: 'The signed cookie `session`, when the request began or renewed a session.',
  },
};

/** Where data comes from, and how old it is. */
export const freshness = {
  'X-Cache': {
    type: 'string',
    enum: ['HIT', 'MISS', 'COALESCED', 'STALE'],
    description:
      'HIT: from the cache. MISS: the first request of a process that waited for a fetch. COALESCED: ' +
      'it waited for the same fetch. STALE: older data, given because no provider answers.',
  },
  Age: { type: 'integer', minimum: 0, description: 'Seconds since the data was fetched.' },
  'X-Weather-Provider': { type: 'string', description: 'The provider that the data came from.' },
  'X-Weather-Attribution': {
    type: 'string',
    description:
      'The credit to show next to the data: text and link of the source. The `demo` provider says ' +
      'that its weather is invented.',
  },
  ETag: { type: 'string', description: 'Weak entity tag of the answer, for `If-None-Match`.' },
  ...cacheControl('private, no-cache'),
};

/** On responses with current weather. */
export const currentWeather = {
  'X-Weather-Code': {
    type: 'integer',
    minimum: 0,
    maximum: 99,
    description: 'WMO weather code of `condition`; absent for `Unknown`.',
  },
  'X-Weather-Is-Day': {
    type: 'string',
    enum: ['0', '1'],
    description: '`1` while the sun is up at the place, else `0`.',
  },
};

/** What a response may lack; it always carries the other headers that are described for it. */
export const OCCASIONAL_HEADERS: ReadonlySet<string> = new Set([
  ...Object.keys(rateLimit),
  ...Object.keys(setCookie),
  'X-Weather-Attribution',
  'X-Weather-Code',
]);
