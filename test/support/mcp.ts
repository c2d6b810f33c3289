import { ask, type Answer } from './http-client.js';

/** Messages of the Model Context Protocol, as bytes on the wire. */

/** The headers and the body of a POST. A body that is not a string is sent as JSON. */
export interface Message {
  headers: Record<string, string>;
  body: unknown;
}

/** The newest version of each era. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;

export const JSON_TYPES = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** The members of each request in the era without a handshake. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

export const HANDSHAKE: Message = {
  headers: JSON_TYPES,
  body: {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
};

/** A request for the list of tools. */
export const listIn = (era: string): Message => messageIn(era, 'tools/list', {}, {});

/** A call of a tool. */
export const callIn = (era: string, name: string, args: Record<string, unknown>): Message =>
  messageIn(era, 'tools/call', { name, arguments: args }, { 'Mcp-Name': name });

/** A message of an era. @param headers that only the era without a handshake has */
export function messageIn(
  era: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Message {
  const common = { ...JSON_TYPES, 'MCP-Protocol-Version': era };
  const body = { jsonrpc: '2.0', id: 1, method };
  if (era < '2026') return { headers: common, body: { ...body, params } };
  return {
    headers: { ...common, 'Mcp-Method': method, ...headers },
    body: { ...body, params: { ...params, _meta: META } },
  };
}

/** Sends a message. */
export function post(url: string, { headers, body }: Message): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(`${url}/mcp`, { method: 'POST', headers, body: text });
}
