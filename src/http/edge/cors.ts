import koaCors from '@koa/cors';
import type { Context } from 'koa';
import { createLru } from '../../base/lru.js';
import { flat, type Headers } from '../answer.js';
import type { AppContext, CorsDecision } from '../context.js';
import { MCP_HEADERS, MCP_PATH } from '../mcp/protocol.js';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const HEADERS = 'Content-Type, Authorization';
const MAX_AGE_SECONDS = 3600;
/** The response headers that pages of an allowed origin may read. `k8s/nginx` has the same list. */
export const EXPOSED = [
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
  'X-Weather-Ignored-Parameters',
].join(', ');

/** Scheme, host, and optional port, as browsers send them. Any sandboxed page has the origin `null`, which is not allowed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/** Maximum number of origins whose headers are memoized. */
const MAX_MEMOIZED = 1000;

const NOT_ALLOWED: CorsDecision = { isAllowed: false, headers: [] };

/**
 * Creates the function that decides about the origin of a request. Cross-origin requests with credentials are allowed. Every
 * response to an allowed origin has all headers; by default, the library sets some of them only on preflights. Responses to
 * any other origin have none.
 * @param allowed the allowed origins, or `'*'` for all
 */
export function createCors(allowed: string[] | '*') {
  const origins = new Set(allowed);
  const isAllowed = (origin: string) =>
    allowed === '*' ? ORIGIN.test(origin) && URL.canParse(origin) : origins.has(origin);
  const api = createHeaders(HEADERS);
  const mcp = createHeaders([HEADERS, ...MCP_HEADERS].join(', '));

  return async ({ req, state }: AppContext): Promise<CorsDecision> => {
    const { origin = '' } = req.headers;
    const { known, compute } = state.target.path === MCP_PATH ? mcp : api;
    return known.get(origin) ?? (isAllowed(origin) ? compute(origin) : NOT_ALLOWED);
  };
}

/** Creates the headers for allowed origins, and remembers them. @param allowHeaders the request headers that pages may send */
function createHeaders(allowHeaders: string) {
  const known = createLru<string, CorsDecision>(MAX_MEMOIZED);
  const library = koaCors({
    origin: (ctx) => ctx.get('Origin'),
    credentials: true,
    exposeHeaders: EXPOSED,
    allowMethods: METHODS,
    allowHeaders,
    maxAge: MAX_AGE_SECONDS,
    keepHeadersOnError: false,
  });

  async function compute(origin: string): Promise<CorsDecision> {
    const found: Headers = {};
    for (const method of ['GET', 'OPTIONS']) {
      const request = {
        method,
        get: (name: string) => (name === 'Origin' ? origin : method),
        set: (name: string, value: string) => void (found[name] = value),
        // Every answer has `Vary`, also without an origin.
        vary: () => undefined,
      };
      await library(request as unknown as Context, () => Promise.resolve());
    }
    const decision = { isAllowed: true, headers: flat(found) };
    known.set(origin, decision);
    return decision;
  }
  return { known, compute };
}
