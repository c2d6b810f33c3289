import type Router from '@koa/router';
import { readFileSync } from 'node:fs';
import { parseBounded } from '../../base/bounded-json.js';
import { InvalidInputError } from '../../base/errors.js';
import { DIST } from '../../dist-folder.js';
import type { AppMiddleware, RequestState } from '../context.js';
import type { ResponseContext } from '../endpoints/endpoint.js';
import { HttpError } from '../error-responses.js';
import { readText } from '../json-body.js';
import type { LocationHandlers } from '../location-handlers.js';
import { createMcpServer, type JsonSchema } from './mcp-server.js';
import { MCP_HEADERS, MCP_PATH } from './protocol.js';
import { createLocationCall, createPlacesCall, type ToolCall } from './tool-call.js';
import { TOOLS, type Tool } from './tools.js';

/** The schemas of the tools by their names, which the build writes. */
const SCHEMAS = new URL('mcp-tools.json', DIST);

/** The headers of a request that the package reads. */
const HEADERS = ['Content-Type', 'Accept', ...MCP_HEADERS];

/**
 * Maximum number of commas and opening brackets in a message. Real messages have up to 50. Higher: a hostile message takes more
 * CPU time, because the package validates each part.
 */
const MAX_PARTS = 500;

/** The package takes requests of the Fetch API, which have a complete URL. It uses no part of it. */
const ANY_URL = `http://localhost${MCP_PATH}`;

export interface McpOptions {
  handlers: LocationHandlers;
  /** Handles requests for suggestions, with its middleware. */
  suggestions: AppMiddleware;
  creditOf: ResponseContext<unknown>['creditOf'];
  /** Runs before the body is read. */
  middleware: AppMiddleware[];
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
}

export type McpRoute = typeof mcpRoute;

/** Serves the Model Context Protocol at `POST /mcp`. @throws if the schemas of the tools have not been built */
export function mcpRoute(router: Router<RequestState>, options: McpOptions): void {
  const schemas = JSON.parse(readFileSync(SCHEMAS, 'utf8')) as Record<
    string,
    { inputSchema: JsonSchema; outputSchema: JsonSchema }
  >;
  const serve = createMcpServer(
    TOOLS.map((tool) => {
      const schema = schemas[tool.name];
      if (!schema) throw new Error(`mcp-tools.json has no schemas of ${tool.name}`);
      return { ...tool, ...schema, call: callOf(tool, options) };
    }),
  );

  router.post(MCP_PATH, ownOrigins, ...options.middleware, async (ctx) => {
    ctx.state.via = 'mcp';
    const message = parsed(await readText(ctx.req, options.bodyMs));
    const headers = HEADERS.flatMap((name): [string, string][] => {
      const value = ctx.get(name);
      return value === '' ? [] : [[name, value]];
    });
    const response = await serve(ctx, new Request(ANY_URL, { method: 'POST', headers }), message);
    const text = await response.text();
    if (response.status >= 500) throw new Error(`The MCP package failed: ${text}`);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = text === '' ? null : text;
    ctx.status = response.status;
    if (text !== '') ctx.type = 'json';
  });
}

/**
 * Rejects (403) the request of a page whose origin `CORS_ORIGINS` does not allow, as the protocol demands. The middleware of
 * CORS has already decided.
 */
const ownOrigins: AppMiddleware = (ctx, next) => {
  if (ctx.get('Origin') !== '' && !ctx.res.hasHeader('Access-Control-Allow-Origin')) {
    throw new HttpError(403, 'Forbidden', 'CORS_ORIGINS does not allow this origin');
  }
  return next();
};

function callOf({ endpoint }: Tool, { handlers, suggestions, creditOf }: McpOptions): ToolCall {
  const { path } = endpoint;
  if (!('kind' in endpoint)) return createPlacesCall({ path, handle: suggestions });
  // A call has no session: all of its responses are public.
  const sessionless = { ...endpoint, publicFor: ['name', 'coordinates'] as const };
  return createLocationCall({
    byName: { path, handle: handlers.fromQuery(sessionless) },
    byCoordinates: { path: `${path}/coordinates`, handle: handlers.fromCoordinates(sessionless) },
    creditOf,
  });
}

/** Returns undefined for a text that is not JSON. @throws InvalidInputError if it exceeds a bound */
function parsed(text: string): unknown {
  try {
    return parseBounded(text, MAX_PARTS);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new InvalidInputError(
      'Invalid request',
      `The message is too large: ${(error as Error).message}`,
    );
  }
}
