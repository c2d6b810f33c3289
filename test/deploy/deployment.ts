import type { Reply } from '../support/load.js';

export const ORIGIN = 'https://app.example';
export const CORS = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-max-age': '3600',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, X-Request-ID, X-Cache, Age, ETag, X-Weather-Provider, X-Weather-Attribution, X-Weather-Code, X-Weather-Is-Day',
};
export const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';

/** The CORS headers of a reply. A header that was sent twice has both values. */
export function corsOf({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}
