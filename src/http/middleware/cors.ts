import type { AppMiddleware } from '../context.js';
import { setHeaders } from '../set-headers.js';

/** The headers of every response to an allowed origin, besides the origin itself. */
const HEADERS = {
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Authorization',
  'Access-Control-Max-Age': '3600',
  'Access-Control-Expose-Headers': [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit',
    'Retry-After',
    'X-Request-ID',
    'X-Cache',
    'Age',
    'ETag',
    'X-Weather-Provider',
    'X-Weather-Attribution',
    'X-Weather-Code',
    'X-Weather-Is-Day',
  ].join(', '),
};

/** Scheme, host, and optional port, as browsers send them. Any sandboxed page has the origin `null`, which is not allowed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * Allows cross-origin requests with credentials. Every response to an allowed origin has all headers, and responses to
 * any other origin have none. Responds to preflights with 204. Libraries set some of the headers only on preflights.
 * @param allowed the allowed origins, or `'*'` for all
 */
export function cors(allowed: string[] | '*'): AppMiddleware {
  const origins = new Set(allowed);
  const isAllowed = (origin: string) =>
    allowed === '*' ? ORIGIN.test(origin) && URL.canParse(origin) : origins.has(origin);
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    ctx.vary('Origin');
    if (origin === '' || !isAllowed(origin)) return next();
    ctx.res.setHeader('Access-Control-Allow-Origin', origin);
    setHeaders(ctx, HEADERS);
    const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';
    if (!isPreflight) return next();
    ctx.status = 204;
    return undefined;
  };
}
