import http from 'node:http';
import https from 'node:https';
import type { ObjectSchema } from 'joi';
import fetch from 'node-fetch';
import { UpstreamError } from '../errors.js';
import {
  isRedirect,
  refusalError,
  transportError,
  type AnswerHeaders,
  type Explain,
  type RawAnswer,
} from './failures.js';
import type { Clock } from '../weather/types.js';

export interface JsonRequest<T> {
  /** The upstream's name, for errors and records. */
  upstream: string;
  url: URL;
  /** What the answer must hold; further fields are dropped, nothing is converted. */
  schema: ObjectSchema<T>;
  /** The caller's: when it aborts, the call ends and its reason is thrown. */
  signal: AbortSignal;
  /** Reads an answer with a 4xx or 5xx status; undefined leaves it to the general rules. */
  explain?: Explain | undefined;
}

export interface JsonAnswer<T> {
  body: T;
  headers: AnswerHeaders;
  /** The upstream's own time of the answer, milliseconds since the epoch. */
  at: number;
}

export interface UpstreamClient {
  /**
   * Gets JSON: one attempt, never redirected.
   * @throws UpstreamError for every failure; its message never holds the URL, which may carry a key
   */
  getJson<T>(request: JsonRequest<T>): Promise<JsonAnswer<T>>;
  /**
   * The same on condition that the answer changed; without a body when it did not (304).
   * @param since the `Last-Modified` of the earlier answer, as the upstream wrote it
   */
  getJsonIfModified<T>(request: JsonRequest<T>, since: string): Promise<JsonAnswer<T | undefined>>;
  /** Cuts every connection. */
  close(): void;
}

export interface UpstreamOptions {
  /** Identifies this deployment; MET Norway refuses calls without it. */
  userAgent: string;
  /** For one attempt, from the connection to the last byte. */
  timeoutMs: number;
  clock: Clock;
  /** Cap on a body after decompression. */
  maxBodyBytes?: number;
  /** Per upstream host. */
  maxSockets?: number;
}

const MAX_BODY_BYTES = 1024 * 1024;
/** Shorter than the 5 s and more that servers keep idle connections: ours ends first. */
const IDLE_SOCKET_MS = 4_000;

/** Outbound JSON over HTTP with a deadline, a cap on the body and bounded connections. */
export function createUpstreamClient(options: UpstreamOptions): UpstreamClient {
  const { userAgent, timeoutMs, clock, maxBodyBytes = MAX_BODY_BYTES, maxSockets = 64 } = options;
  const agentOptions = { keepAlive: true, maxSockets, maxFreeSockets: 8, timeout: IDLE_SOCKET_MS };
  const agents = {
    'http:': new http.Agent(agentOptions),
    'https:': new https.Agent(agentOptions),
  };

  async function exchange(url: URL, headers: object, signal: AbortSignal): Promise<RawAnswer> {
    const response = await fetch(url, {
      headers: { 'User-Agent': userAgent, Accept: 'application/json', ...headers },
      redirect: 'manual',
      size: maxBodyBytes,
      agent: ({ protocol }) => agents[protocol === 'http:' ? 'http:' : 'https:'],
      signal,
    });
    const body = isRedirect(response.status) ? '' : await response.text();
    return { status: response.status, headers: response.headers, body };
  }

  /** One attempt under the deadline and the caller's signal. */
  async function attempt<T>(
    request: JsonRequest<unknown>,
    headers: object,
    read: (answer: RawAnswer) => T,
  ): Promise<T> {
    request.signal.throwIfAborted();
    // Not AbortSignal.any and .timeout: those stay behind on a caller's signal that lives long.
    const controller = new AbortController();
    const abort = () => {
      controller.abort();
    };
    const deadline = { passed: false };
    const timer = setTimeout(() => {
      deadline.passed = true;
      abort();
    }, timeoutMs);
    request.signal.addEventListener('abort', abort, { once: true });
    try {
      return read(await exchange(request.url, headers, controller.signal));
    } catch (error) {
      request.signal.throwIfAborted();
      if (error instanceof UpstreamError) throw error;
      throw deadline.passed
        ? new UpstreamError(request.upstream, 'unavailable', `no answer within ${timeoutMs} ms`)
        : transportError(request.upstream, error, maxBodyBytes);
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', abort);
      // Cuts the connection of an answer that was not read to its end; one that was is kept.
      abort();
    }
  }

  return {
    getJson: (request) => attempt(request, {}, (answer) => read(request, answer, clock)),
    getJsonIfModified: (request, since) =>
      attempt(request, { 'If-Modified-Since': since }, (answer) =>
        answer.status === 304
          ? { body: undefined, headers: answer.headers, at: timeOf(answer, clock) }
          : read(request, answer, clock),
      ),
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** By the upstream's clock where it tells: ours may be off. */
function timeOf(answer: RawAnswer, clock: Clock): number {
  return Date.parse(answer.headers.get('date') ?? '') || clock.now();
}

/** @throws UpstreamError when the answer is a refusal or not what the schema wants */
function read<T>(request: JsonRequest<T>, answer: RawAnswer, clock: Clock): JsonAnswer<T> {
  const { upstream, schema } = request;
  const at = timeOf(answer, clock);
  if (answer.status < 200 || answer.status >= 300)
    throw refusalError(upstream, answer, at, request.explain);
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.body);
  } catch {
    throw new UpstreamError(upstream, 'bad_answer', 'the answer is not JSON');
  }
  const checked = schema.validate(parsed, { convert: false, stripUnknown: { objects: true } });
  if (checked.error) throw new UpstreamError(upstream, 'bad_answer', checked.error.message);
  return { body: checked.value, headers: answer.headers, at };
}
