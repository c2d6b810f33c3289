import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a path does before or instead of its regular response. */
export type Behavior = {
  /** Milliseconds before the response. */
  delayMs?: number;
  /** The number of calls to which it applies; without it, it applies until it is replaced. */
  times?: number;
} & Fault;

type Fault =
  | { kind: 'ok' }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** Sends half of the body, and closes the connection. */
  | { kind: 'truncated' };

/**
 * Responds with a fault.
 * @param regular returns the body of the regular response
 */
export function play(
  fault: Exclude<Fault, { kind: 'ok' }>,
  request: IncomingMessage,
  response: ServerResponse,
  regular: () => string,
): void {
  switch (fault.kind) {
    case 'hang':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    case 'truncated': {
      const body = regular();
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) });
      response.write(body.slice(0, body.length / 2), () => response.destroy());
    }
  }
}
