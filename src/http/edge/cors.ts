import koaCors from '@koa/cors';
import { createLru } from '../../base/lru.js';
import { flat } from '../answer.js';
import type { AppContext, CorsDecision } from '../context.js';
import { MCP_HEADERS, MCP_PATH } from '../mcp/protocol.js';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const HEADERS = 'Content-Type, Authorization';
const MAX_AGE_SECONDS = '3600';
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

const FROM_LIBRARY = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];

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
  const api = headersOfOrigin(isAllowed, HEADERS);
  const mcp = headersOfOrigin(isAllowed, [HEADERS, ...MCP_HEADERS].join(', '));

  return (ctx: AppContext): CorsDecision | Promise<CorsDecision> => {
    const { origin = '' } = ctx.req.headers;
    if (origin === '') return NOT_ALLOWED;
    return (ctx.state.target.path === MCP_PATH ? mcp : api)(ctx, origin);
  };
}

/** @param allowHeaders the request headers that pages may send */
function headersOfOrigin(isAllowed: (origin: string) => boolean, allowHeaders: string) {
  const memoized = createLru<string, CorsDecision>(MAX_MEMOIZED);
  const forPreflights = flat({
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': allowHeaders,
    'Access-Control-Max-Age': MAX_AGE_SECONDS,
  });
  const library = koaCors({
    origin: (ctx) => ctx.get('Origin'),
    credentials: true,
    exposeHeaders: EXPOSED,
    keepHeadersOnError: false,
  });

  /** Returns the headers that the library sets on a response to an allowed origin, and those of preflights. */
  async function compute(ctx: AppContext, origin: string): Promise<CorsDecision> {
    const { res } = ctx;
    const asGet = Object.create(ctx, { method: { value: 'GET' } }) as AppContext;
    await library(asGet, () => Promise.resolve());
    const headers = [...forPreflights];
    for (const name of FROM_LIBRARY) {
      headers.push(name, String(res.getHeader(name)));
      res.removeHeader(name);
    }
    // Every answer has it, also without an origin.
    res.removeHeader('Vary');
    const decision = { isAllowed: true, headers };
    memoized.set(origin, decision);
    return decision;
  }

  return (ctx: AppContext, origin: string): CorsDecision | Promise<CorsDecision> =>
    memoized.get(origin) ?? (isAllowed(origin) ? compute(ctx, origin) : NOT_ALLOWED);
}
