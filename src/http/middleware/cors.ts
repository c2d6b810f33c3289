import koaCors from '@koa/cors';
import type { AppMiddleware } from '../context.js';
import { MCP_HEADERS, MCP_PATH } from '../mcp/protocol.js';
import { setHeaders } from '../set-headers.js';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const HEADERS = 'Content-Type, Authorization';
const MAX_AGE_SECONDS = '3600';
const EXPOSED = [
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
  'Link',
  'X-Weather-Provider',
  'X-Weather-Attribution',
  'X-Weather-Code',
  'X-Weather-Point',
  'X-Weather-Is-Day',
].join(', ');

/** Scheme, host, and optional port, as browsers send them. Any sandboxed page has the origin `null`, which is not allowed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * Allows cross-origin requests with credentials. Every response to an allowed origin has all
 * headers; by default, the library sets them only on preflights. Responses to any other origin have
 * none.
 * @param allowed the allowed origins, or `'*'` for all
 */
export function cors(allowed: string[] | '*'): AppMiddleware {
  const origins = new Set(allowed);
  const isAllowed = (origin: string) =>
    allowed === '*' ? ORIGIN.test(origin) && URL.canParse(origin) : origins.has(origin);
  const api = corsOf(isAllowed, HEADERS);
  const mcp = corsOf(isAllowed, [HEADERS, ...MCP_HEADERS].join(', '));
  return (ctx, next): unknown => {
    const middleware = ctx.state.target.path === MCP_PATH ? mcp : api;
    return middleware(ctx, next);
  };
}

/** @param allowHeaders the request headers that pages may send */
function corsOf(isAllowed: (origin: string) => boolean, allowHeaders: string): AppMiddleware {
  /** The library sends these only with preflights. */
  const preflightHeaders = {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': allowHeaders,
    'Access-Control-Max-Age': MAX_AGE_SECONDS,
  };
  const library = koaCors({
    // Without this function the library would reflect every origin.
    origin: (ctx) => (isAllowed(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: METHODS,
    allowHeaders,
    exposeHeaders: EXPOSED,
    maxAge: MAX_AGE_SECONDS,
    // An inner middleware turns errors into responses.
    keepHeadersOnError: false,
  });
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin !== '' && isAllowed(origin)) {
      setHeaders(ctx, preflightHeaders);
      // The library sets no header for an OPTIONS request that is not a preflight.
      if (ctx.method === 'OPTIONS') {
        setHeaders(ctx, {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Credentials': 'true',
          'Access-Control-Expose-Headers': EXPOSED,
        });
      }
    }
    return library(ctx, next) as Promise<unknown>;
  };
}
