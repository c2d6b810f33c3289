import type { AppMiddleware } from '../context.js';
import { setHeaders } from '../set-headers.js';

/** What every response to an allowed origin carries, beside the origin itself. */
const HEADERS = {
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Authorization',
  'Access-Control-Max-Age': '3600',
  'Access-Control-Expose-Headers': [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'X-Request-ID',
    'X-Cache',
    'Age',
  ].join(', '),
};

/** Anything that browsers send as an origin, but `null`, which any sandboxed page can be. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s,/]+$/i;

/**
 * Cross-origin access with credentials. Every response to an allowed origin carries all headers,
 * not only preflights; any other origin gets none.
 * @param allowed the allowed origins, or `'*'` for all
 */
export function cors(allowed: string[] | '*'): AppMiddleware {
  const origins = new Set(allowed);
  const isAllowed = (origin: string) =>
    allowed === '*' ? ORIGIN.test(origin) : origins.has(origin);
  return (ctx, next) => {
    ctx.res.setHeader('Vary', 'Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !isAllowed(origin)) return next();
    ctx.res.setHeader('Access-Control-Allow-Origin', origin);
    setHeaders(ctx, HEADERS);
    const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';
    if (!isPreflight) return next();
    // On an unknown path too: the browser must be able to read the 404 of the request itself.
    ctx.status = 204;
    return undefined;
  };
}
