import koaCors from '@koa/cors';
import type { Context } from 'koa';
import { flatten, type Headers } from '../answer.js';
import type { AppContext } from '../context.js';
import { MCP_HEADERS, MCP_PATH } from '../mcp/protocol.js';
import { EXPOSED_HEADERS } from './exposed-headers.js';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const METHODS = 'GET, POST, DELETE, OPTIONS';
const HEADERS = 'Content-Type, Authorization';
const MAX_AGE_SECONDS = 3600;
const API_CORS_HEADERS = await headersBesidesOrigin(HEADERS);
const MCP_CORS_HEADERS = await headersBesidesOrigin([HEADERS, ...MCP_HEADERS].join(', '));

/** Scheme, host, and optional port. The origin `null` of a sandboxed page is not allowed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * Creates the function that returns the CORS headers of a request, names and values in turn. Unlike
 * by default, every response to an allowed origin has all of them.
 */
export function createCors(allowed: string[] | '*') {
  const origins = new Set(allowed);
  const isAllowed = (origin: string) =>
    allowed === '*' ? ORIGIN.test(origin) && URL.canParse(origin) : origins.has(origin);

  return ({ req, state }: AppContext): readonly string[] => {
    const { origin } = req.headers;
    if (origin === undefined || !isAllowed(origin)) return [];
    const { path } = state.target;
    return [ALLOW_ORIGIN, origin, ...(path === MCP_PATH ? MCP_CORS_HEADERS : API_CORS_HEADERS)];
  };
}

/**
 * Returns the headers that are the same for every allowed origin. With the middleware for each
 * request, a hit takes 1.3 times the CPU time: it could not write one list of headers.
 */
async function headersBesidesOrigin(allowHeaders: string): Promise<string[]> {
  const library = koaCors({
    credentials: true,
    exposeHeaders: EXPOSED_HEADERS,
    allowMethods: METHODS,
    allowHeaders,
    maxAge: MAX_AGE_SECONDS,
  });
  const corsHeaders: Headers = {};
  for (const method of ['GET', 'OPTIONS']) {
    const request = {
      method,
      get: () => method,
      set: (name: string, value: string) => void (corsHeaders[name] = value),
      // Every answer has `Vary`, also without an origin.
      vary: () => undefined,
    };
    await library(request as unknown as Context, () => Promise.resolve());
  }
  return flatten({ ...corsHeaders, [ALLOW_ORIGIN]: undefined });
}
