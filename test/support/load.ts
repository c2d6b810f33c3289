import assert, { AssertionError } from 'node:assert/strict';
import { Agent } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, ask, type Answer, type RequestOptions } from './http-client.js';

/** The outcome of one request. Without a response, it has `status` 0 and an `error`. */
export interface Reply extends Answer {
  /** Milliseconds from sending to the last byte. */
  ms: number;
  /** When the request was sent, in Unix milliseconds. */
  at: number;
  error?: string;
}

/**
 * Sends one request and measures its duration. Returns failures as a reply.
 * @throws only if the service does not describe the response
 */
export async function attempt(url: string, options: RequestOptions = {}): Promise<Reply> {
  const at = Date.now();
  const started = performance.now();
  const timed = (answer: Answer) => Object.assign(answer, { at, ms: performance.now() - started });
  try {
    return timed(await ask(url, options));
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return Object.assign(timed(answerOf(url, 0, {}, Buffer.alloc(0))), { error: message });
  }
}

/** Sends all requests at the same time, each on its own connection. */
export function burst(urls: string[], options: RequestOptions = {}): Promise<Reply[]> {
  return Promise.all(urls.map((url) => attempt(url, options)));
}

export type Load = ReturnType<typeof startLoad>;

/** Clients that send requests in sequence, each on one connection, until `stop` or the end. */
export function startLoad(
  t: TestContext,
  options: {
    clients: number;
    /** The URL of the next request. `n` counts all requests. */
    next: (count: number) => string;
    pauseMs?: number;
    headers?: (count: number) => Record<string, string>;
    /** The body of a POST. Undefined: a GET. */
    body?: (count: number) => unknown;
  },
) {
  const { clients, next, pauseMs = 50, headers = () => ({}), body = () => undefined } = options;
  const replies: Reply[] = [];
  let count = 0;
  let stopping = false;

  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopping) {
      const number = count++;
      const posted = body(number);
      const method = posted === undefined ? 'GET' : 'POST';
      const request = { method, headers: headers(number), body: posted, agent };
      replies.push(await attempt(next(number), request));
      await sleep(pauseMs);
    }
    agent.destroy();
  }

  t.after(() => {
    stopping = true;
  });
  const running = Array.from({ length: clients }, client);
  return {
    /** Every reply until now, in the order of arrival. */
    replies,
    /** Waits for the requests in flight. @returns all replies */
    async stop() {
      stopping = true;
      await Promise.all(running);
      return replies;
    },
  };
}

/** The number of replies for each outcome: `{ "200 HIT": 12, "503": 1 }`. */
export function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, headers, error } of replies) {
    const cache = headers['x-cache'];
    const outcome = error ?? (typeof cache === 'string' ? `${status} ${cache}` : String(status));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Asserts that every reply has one of these outcomes. Default: any 200. */
export function assertOutcomes(replies: Reply[], wanted = /^200/): void {
  const outcomes = tally(replies);
  const others = Object.keys(outcomes).filter((outcome) => !wanted.test(outcome));
  assert.deepEqual(others, [], JSON.stringify(outcomes));
}
