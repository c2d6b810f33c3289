import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  preloadSchemas,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type McpServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { SERVICE_NAME, SERVICE_VERSION } from '../../base/version.js';
import type { ToolResult } from './calls.js';
import type { PublishedTools } from './tools.js';

const SERVER_INFO = {
  name: SERVICE_NAME,
  title: 'Weather lookup',
  version: SERVICE_VERSION,
};

/** How long clients may store lists: the tools change only with a release. */
const LIFETIME = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const ANNOTATIONS = { readOnlyHint: true, openWorldHint: true };

/** Runs a call of a tool. Returns undefined if there is no such tool. */
type RunCall = (name: string, args: Record<string, unknown>) => Promise<ToolResult | undefined>;

/**
 * Creates the server of the Model Context Protocol, for both eras: 2025-11-25 and earlier (a
 * handshake), and 2026-07-28 (each request has the version). It is stateless: each message has a
 * new `McpServer`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function createMcpServer({ instructions, tools }: PublishedTools) {
  // By default, the first messages block the event loop for longer.
  preloadSchemas();
  const listed = { tools: tools.map((tool) => ({ ...tool, annotations: ANNOTATIONS })) };
  const options: McpServerOptions = {
    // Some clients give up if they cannot list resources and prompts. There are none.
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    },
    instructions,
    cacheHints: {
      'tools/list': LIFETIME,
      'resources/list': LIFETIME,
      'resources/templates/list': LIFETIME,
      'prompts/list': LIFETIME,
      'server/discover': LIFETIME,
    },
    // By default, each server makes its own.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };
  const runs = new WeakMap<Request, RunCall>();

  function serverFor(run: RunCall | undefined): McpServer {
    const mcp = new McpServer(SERVER_INFO, options);
    // The package would validate arguments before the limits count a call, with other errors.
    const { server } = mcp;
    server.setRequestHandler('tools/list', () => listed);
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await run?.(params.name, params.arguments ?? {});
      if (result) return callToolResultOf(result);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    });
    return mcp;
  }

  // There is nothing to subscribe to: the tools never change while the process runs.
  const modern = createMcpHandler(
    ({ requestInfo }) => serverFor(requestInfo && runs.get(requestInfo)),
    { legacy: 'reject', maxSubscriptions: 0 },
  );

  /**
   * Unlike the fallback of the package, this responds with JSON, not with a stream of one event.
   * Closing the server would take 6 % of the CPU time, and nothing is pending.
   */
  async function serveLegacy(request: Request, parsedBody: unknown, run: RunCall) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await serverFor(run).connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  /** Serves one message, which is undefined if the body is not JSON. */
  return async (request: Request, message: unknown, run: RunCall): Promise<Response> => {
    runs.set(request, run);
    // The modern handler rejects what is not JSON, and batches.
    const isSingle = message !== undefined && !Array.isArray(message);
    if (isSingle && (await isLegacyRequest(request, message))) {
      return serveLegacy(request, message, run);
    }
    return modern.fetch(request, { parsedBody: message });
  };
}

function callToolResultOf(result: ToolResult): CallToolResult {
  if ('error' in result) return { content: [{ type: 'text', text: result.error }], isError: true };
  const { data } = result;
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }],
    structuredContent: { ...data },
  };
}
