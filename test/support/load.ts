import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** What one request came to. A request that got no answer has `status` 0 and an `error`. */
export interface Reply {
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** From sending to the last byte, in milliseconds. */
  ms: number;
  /** When it was sent, in Unix milliseconds. */
  at: number;
  error?: string;
}

export interface RequestOptions {
  method?: string;
  /** Sent as JSON. */
  body?: object;
  headers?: Record<string, string>;
  agent?: Agent;
  /** An answer that takes longer is an error. */
  timeoutMs?: number;
}

/** One request. Never rejects: what went wrong is in the reply. */
export function ask(url: string, options: RequestOptions = {}): Promise<Reply> {
  const { method = 'GET', agent, timeoutMs = 30_000 } = options;
  const body = options.body && JSON.stringify(options.body);
  const headers = { ...options.headers, ...(body && { 'content-type': 'application/json' }) };
  const at = Date.now();
  const started = performance.now();
  return new Promise((resolve) => {
    const done = (rest: Partial<Reply>) => {
      const ms = performance.now() - started;
      resolve({ url, status: 0, headers: {}, body: '', ms, at, ...rest });
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = request(url, { method, headers, signal, ...(agent ? { agent } : {}) });
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', (error) => {
        done({ error: error.message });
      });
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        done({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    outgoing.once('error', (error) => {
      done({ error: error.message });
    });
    outgoing.end(body);
  });
}

/** All at once, each on its own connection. */
export function burst(urls: string[], options: RequestOptions = {}): Promise<Reply[]> {
  return Promise.all(urls.map((url) => ask(url, options)));
}

export interface Load {
  /** Every reply so far, in the order in which they came. */
  readonly replies: Reply[];
  /** Lets what runs end and tells all replies. */
  stop(): Promise<Reply[]>;
}

/**
 * So many clients, each asking one thing after the other over its own keep-alive connection, until
 * it is stopped or the test ends.
 */
export function startLoad(
  t: TestContext,
  options: {
    clients: number;
    /** What to ask next; the number counts all requests. */
    next: (count: number) => string;
    pauseMs?: number;
    headers?: (count: number) => Record<string, string>;
  },
): Load {
  const { clients, next, pauseMs = 10, headers = () => ({}) } = options;
  const replies: Reply[] = [];
  let count = 0;
  let stopping = false;

  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopping) {
      const number = count++;
      replies.push(await ask(next(number), { headers: headers(number), agent }));
      await sleep(pauseMs);
    }
    agent.destroy();
  }

  t.after(() => {
    stopping = true;
  });
  const running = Array.from({ length: clients }, client);
  return {
    replies,
    async stop() {
      stopping = true;
      await Promise.all(running);
      return replies;
    },
  };
}

/** How often each outcome occurs: `{ "200 HIT": 12, "503": 1 }`. */
export function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, headers, error } of replies) {
    const cache = headers['x-cache'];
    const outcome = error ?? (typeof cache === 'string' ? `${status} ${cache}` : String(status));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** The time below which a share of the replies came, in milliseconds. */
export function percentile(replies: Reply[], share: number): number {
  const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}
