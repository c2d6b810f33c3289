import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { DIST } from '../../dist-folder.js';
import { emptyAnswer, jsonAnswer } from '../answer.js';
import { HttpError } from '../error-answers.js';
import { readJson } from '../input/json-body.js';
import { loadOnce } from '../load-once.js';
import type { Route } from '../context.js';
import { createCalls, type CompletedCall, type CallOptions } from './calls.js';
import { MCP_HEADERS, MCP_PATH } from './protocol.js';
import type { PublishedTools } from './tools.js';

/** The tools as clients see them, which the build writes. */
const PUBLISHED = new URL('mcp-tools.json', DIST);

/** The package takes requests of the Fetch API, whose URL must be complete. It does not use it. */
const ANY_URL = `http://localhost${MCP_PATH}`;

/** The types that clients must accept. The package does not know that a range includes both. */
const ACCEPTED = 'application/json, text/event-stream';
const ANY_TYPE = '*/*';

/** The route of the Model Context Protocol. */
export function mcpRoute(options: CallOptions): Route {
  const calls = createCalls(options);
  // The package is loaded by the first message: it takes time and memory.
  const load = loadOnce(async () => {
    // Before the import, which Node.js never repeats after a failure.
    const published = JSON.parse(await readFile(PUBLISHED, 'utf8')) as PublishedTools;
    const { createMcpServer } = await import('./mcp-server.js');
    return createMcpServer(published);
  });

  return {
    method: 'post',
    paths: [MCP_PATH],
    isShed: true,
    logFieldsOf: () => ({ via: 'mcp' }),
    async answer(ctx) {
      const { state, req } = ctx;
      // The protocol demands that the request of a page of another origin is rejected.
      if (req.headers.origin !== undefined && state.corsHeaders.length === 0) {
        throw new HttpError(403, 'Forbidden', 'CORS_ORIGINS does not allow this origin');
      }
      const message = await readJson(req);
      const request = new Request(ANY_URL, { method: 'POST', headers: headersFor(req.headers) });
      const serve = await load();
      let call: CompletedCall | undefined;
      const response = await serve(request, message, async (name, args) => {
        call = await calls.get(name)?.(state, args);
        return call?.result;
      });
      const text = await response.text();
      if (response.status >= 500) throw new Error(`The MCP package failed: ${text}`);
      const noStore = { 'Cache-Control': 'no-store' };
      const { logFields, status: toolStatus, error } = call ?? {};
      return {
        ...(text === ''
          ? emptyAnswer(response.status, noStore)
          : jsonAnswer(response.status, text, noStore)),
        logFields: { ...logFields, via: 'mcp' },
        error,
        ...(toolStatus === undefined ? {} : { toolStatus }),
      };
    },
  };
}

/**
 * Returns the headers that the package reads, in the form that it expects. Media types have no
 * case. Some clients and proxies send a header of the protocol twice, which Node.js joins by a
 * comma.
 */
function headersFor(headers: IncomingHttpHeaders): Record<string, string> {
  const normalized: Record<string, string> = {};
  const { 'content-type': type, accept = ANY_TYPE } = headers;
  if (type !== undefined) normalized['Content-Type'] = type.toLowerCase();
  normalized['Accept'] = accept.toLowerCase().replace(ANY_TYPE, ACCEPTED);
  for (const name of MCP_HEADERS) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) continue;
    const values = new Set(
      String(value)
        .split(/[ \t]*,[ \t]*/)
        .filter(Boolean),
    );
    if (values.size > 0) normalized[name] = [...values].join(', ');
  }
  return normalized;
}
