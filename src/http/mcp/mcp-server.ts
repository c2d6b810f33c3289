import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  preloadSchemas,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type McpServerOptions,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { isObject } from '../../base/is-object.js';
import { SERVICE_NAME, SERVICE_REPOSITORY, SERVICE_VERSION } from '../../base/version.js';
import type { CallingRequest, ToolCall, ToolResult } from './tool-call.js';
import { INSTRUCTIONS, type Tool } from './tools.js';

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** A tool with everything that clients see of it, and the function that runs its calls. */
export interface ServedTool extends Tool {
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  call: ToolCall;
}

const ABOUT = {
  name: SERVICE_NAME,
  title: 'Weather lookup',
  version: SERVICE_VERSION,
  websiteUrl: SERVICE_REPOSITORY,
};

/** The tools change only with a release. Longer: after an upgrade, clients call the tools of the old release for longer. */
const LIST_LIFETIME = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const OPTIONS: McpServerOptions = {
  capabilities: { tools: { listChanged: false } },
  instructions: INSTRUCTIONS,
  cacheHints: { 'tools/list': LIST_LIFETIME, 'server/discover': LIST_LIFETIME },
  // By default, each server makes its own.
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
};

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Serves one message of a client. @param message the parsed body; undefined if the body is not JSON */
export type ServeMessage = (
  calling: CallingRequest,
  request: Request,
  message: unknown,
) => Promise<Response>;

/**
 * Creates the server of the Model Context Protocol, for both eras of the protocol: 2025-11-25 and earlier (a handshake), and
 * 2026-07-28 (each request has the version). It is stateless: each message has a new `McpServer`, as the package demands.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function createMcpServer(tools: readonly ServedTool[]): ServeMessage {
  // By default, the first messages block the event loop for a quarter of a second.
  preloadSchemas();
  const published = tools.map((tool) => ({
    ...tool,
    inputSchema: publishOnly(tool.inputSchema),
    outputSchema: publishOnly(tool.outputSchema),
  }));
  const received = new WeakMap<Request, { calling: CallingRequest; message: unknown }>();

  /** The tools that a message needs: a call needs one, and registering the others would take a fifth of its CPU time. */
  function toolsFor(message: unknown) {
    const { method, params } = isObject(message) ? message : {};
    const called = method === 'tools/call' && isObject(params) ? params['name'] : undefined;
    const named = published.filter(({ name }) => name === called);
    return named.length > 0 ? named : published;
  }

  function serverFor(request: Request | undefined): McpServer {
    const { calling, message } = (request && received.get(request)) ?? {};
    if (!calling) throw new Error('A message has no context');
    const server = new McpServer(ABOUT, OPTIONS);
    for (const tool of toolsFor(message)) {
      const { name, title, description, inputSchema, outputSchema, call } = tool;
      const about = { title, description, inputSchema, outputSchema, annotations: ANNOTATIONS };
      server.registerTool(name, about, async (args) =>
        resultOf(await call(calling, args as Record<string, unknown>)),
      );
    }
    return server;
  }

  // No tool sends a message before its result, so all responses are JSON. The tools never change while the process runs, so
  // there is nothing to subscribe to.
  const modern = createMcpHandler(({ requestInfo }) => serverFor(requestInfo), {
    legacy: 'reject',
    maxSubscriptions: 0,
  });

  /** Unlike the fallback of the package, this responds with JSON, and not with a stream of one event. */
  async function serveLegacy(request: Request, parsedBody: unknown): Promise<Response> {
    const server = serverFor(request);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  return async (calling, request, message) => {
    received.set(request, { calling, message });
    // The modern handler rejects what is not JSON, and batches, which the protocol has not had since 2025-06-18.
    const isSingle = message !== undefined && !Array.isArray(message);
    if (isSingle && (await isLegacyRequest(request, message))) return serveLegacy(request, message);
    return modern.fetch(request, { parsedBody: message });
  };
}

/**
 * A schema that clients see, and that the package does not enforce: the handler of the endpoint validates the arguments, after
 * the rate limits have counted the call, and with errors that say what to change.
 */
function publishOnly(schema: JsonSchema): StandardSchemaWithJSON {
  const json = () => schema;
  return {
    '~standard': {
      version: 1,
      vendor: SERVICE_NAME,
      jsonSchema: { input: json, output: json },
      validate: (value) => ({ value }),
    },
  };
}

function resultOf(result: ToolResult): CallToolResult {
  if ('error' in result) return { content: [{ type: 'text', text: result.error }], isError: true };
  const { data } = result;
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
