import { once } from 'node:events';
import { request, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { assertDescribed } from './described-responses.js';

/** A response of a server. */
export interface Answer {
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  /** The `Set-Cookie` headers. */
  cookies: string[];
  body: Buffer;
  /** The body as text. */
  readonly text: string;
  /** The parsed body. Undefined if it is empty or not JSON. */
  readonly json: unknown;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** A string or buffer is sent unchanged, anything else as JSON. */
  body?: unknown;
  agent?: Agent;
  /** If the response takes longer, `ask` throws. */
  timeoutMs?: number;
}

/**
 * Sends one request. The target of the URL is sent unchanged: no library normalizes it.
 * @throws if there is no complete response, or if the service does not describe this response
 */
export async function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, agent, timeoutMs = 30_000 } = options;
  const { origin, hostname, port } = new URL(url);
  const sent = request({
    ...{ hostname, port, path: url.slice(origin.length), method, headers },
    ...(agent ? { agent } : {}),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (body === undefined) sent.end();
  else if (typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body);
  else {
    if (!sent.hasHeader('content-type')) sent.setHeader('Content-Type', 'application/json');
    sent.end(JSON.stringify(body));
  }
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // An error of the connection after the response does not matter.
  sent.on('error', () => undefined);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const answer = answerOf(url, response.statusCode ?? 0, response.headers, Buffer.concat(chunks));
  assertDescribed(method, answer);
  return answer;
}

/** Headers of the n-th client behind a proxy. Its address is its own, so no limit rejects it. */
export function anyClient(n: number): { 'X-Forwarded-For': string } {
  return { 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
}

/** Creates an `Answer`. */
export function answerOf(
  url: string,
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Answer {
  return {
    ...{ url, status, headers, body },
    cookies: headers['set-cookie'] ?? [],
    get text() {
      return body.toString();
    },
    get json() {
      try {
        return JSON.parse(body.toString()) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
