import { readFileSync } from 'node:fs';
import { parseBounded } from '../../base/bounded-json.js';
import { InvalidInputError } from '../../base/errors.js';
import { DIST } from '../../dist-folder.js';
import { emptyAnswer, jsonAnswer } from '../answer.js';
import type { RequestState } from '../context.js';
import type { Limits } from '../edge/limits.js';
import type { RequestedBy, ResponseContext } from '../endpoints/endpoint.js';
import type { SuggestionAnswer } from '../endpoints/suggestions.js';
import { HttpError } from '../error-answers.js';
import { readText } from '../json-body.js';
import type { LocationAnswers } from '../location-answers.js';
import type { Target } from '../request-target.js';
import type { Route } from '../route.js';
import { createMcpServer, type JsonSchema } from './mcp-server.js';
import { MCP_HEADERS, MCP_PATH } from './protocol.js';
import {
  createLocationCall,
  createPlacesCall,
  type CallingRequest,
  type ToolCall,
} from './tool-call.js';
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

/** The kind of a call that finds places, in the log. */
const PLACES_KIND = 'places';

export interface McpOptions {
  locations: LocationAnswers;
  suggestions: SuggestionAnswer;
  limits: Limits;
  creditOf: ResponseContext<unknown>['creditOf'];
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
}

export type McpRoute = typeof mcpRoute;

/** The route of the Model Context Protocol: `POST /mcp`. @throws if the schemas of the tools have not been built */
export function mcpRoute(options: McpOptions): Route {
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

  return {
    ...{ method: 'post', paths: [MCP_PATH], isShed: true },
    fieldsOf: () => ({ via: 'mcp' }),
    async answer(ctx) {
      const { state } = ctx;
      // The protocol demands that the request of a page of another origin is rejected.
      if (ctx.get('Origin') !== '' && !state.cors.isAllowed) {
        throw new HttpError(403, 'Forbidden', 'CORS_ORIGINS does not allow this origin');
      }
      const message = parsed(await readText(ctx.req, options.bodyMs));
      const headers = HEADERS.flatMap((name): [string, string][] => {
        const value = ctx.get(name);
        return value === '' ? [] : [[name, value]];
      });
      const calling: CallingRequest = { state };
      const request = new Request(ANY_URL, { method: 'POST', headers });
      const response = await serve(calling, request, message);
      const text = await response.text();
      if (response.status >= 500) throw new Error(`The MCP package failed: ${text}`);
      const noStore = { 'Cache-Control': 'no-store' };
      const { record, status: outcome, error } = calling.answer ?? {};
      return {
        ...(text === ''
          ? emptyAnswer(response.status, noStore)
          : jsonAnswer(response.status, text, noStore)),
        ...{ record: { ...record, via: 'mcp' }, error },
        ...(outcome === undefined ? {} : { outcome }),
      };
    },
  };
}

function callOf({ endpoint }: Tool, options: McpOptions): ToolCall {
  const { locations, suggestions, limits, creditOf } = options;
  const { path } = endpoint;
  if (!('kind' in endpoint)) {
    const answer = async (state: RequestState, target: Target) => {
      const rejected = await limits.count(state, 'suggestions', true);
      return { ...(rejected ?? suggestions(target)), record: { kind: PLACES_KIND } };
    };
    return createPlacesCall({ path, answer });
  }
  const answerBy = (by: RequestedBy) => async (state: RequestState, target: Target) => {
    // A call has no session, so it has the headers about the limits only if it is rejected.
    const rejected = await limits.count(state, 'weather', true);
    if (!rejected) return locations.toQuery(endpoint, by, target, state.scope);
    return { ...rejected, record: locations.fieldsOf(endpoint, by, target) };
  };
  return createLocationCall({
    byName: { path, answer: answerBy('name') },
    byCoordinates: { path: `${path}/coordinates`, answer: answerBy('coordinates') },
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
