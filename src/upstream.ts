import http from 'node:http';
import https from 'node:https';
import type { ObjectSchema } from 'joi';
import fetch, { FetchError } from 'node-fetch';
import { UpstreamError, type UpstreamFailureKind } from './errors.js';
import type { Clock } from './weather/types.js';

/** What an upstream's refusal means, when it says more than its status does. */
export interface Refusal {
  kind: UpstreamFailureKind;
  message: string;
  retryAfterMs?: number | undefined;
}

export interface JsonRequest<T> {
  /** The upstream's name, for errors and records. */
  upstream: string;
  url: URL;
  /** What the answer must hold; further fields are dropped, nothing is converted. */
  schema: ObjectSchema<T>;
  /** The caller's: when it aborts, the call ends and its reason is thrown. */
  signal: AbortSignal;
  /** Reads an answer with a 4xx or 5xx status; undefined leaves it to the general rules. */
  explain?: (answer: { status: number; body: string; at: number }) => Refusal | undefined;
}

export interface JsonAnswer<T> {
  body: T;
  headers: AnswerHeaders;
  /** The upstream's own time of the answer, milliseconds since the epoch. */
  at: number;
}

export interface AnswerHeaders {
  get(name: string): string | null;
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
/** When a 429 does not say until when: no documented window is shorter. */
const DEFAULT_QUOTA_MS = 60_000;
/** The longest window that a provider names is a day; a longer wait is more likely a mistake. */
const MAX_RETRY_AFTER_MS = 86_400_000;

interface RawAnswer {
  status: number;
  headers: AnswerHeaders;
  body: string;
}

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
        : transportFailure(request.upstream, error, maxBodyBytes);
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

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** By the upstream's clock where it tells: ours may be off. */
function timeOf(answer: RawAnswer, clock: Clock): number {
  return Date.parse(answer.headers.get('date') ?? '') || clock.now();
}

/** @throws UpstreamError when the answer is a refusal or not what the schema wants */
function read<T>(request: JsonRequest<T>, answer: RawAnswer, clock: Clock): JsonAnswer<T> {
  const { upstream, schema } = request;
  const at = timeOf(answer, clock);
  if (answer.status < 200 || answer.status >= 300) throw refusal(request, answer, at);
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

function refusal(request: JsonRequest<unknown>, answer: RawAnswer, at: number): UpstreamError {
  const { status, headers, body } = answer;
  const explained = status >= 400 ? request.explain?.({ status, body, at }) : undefined;
  const retryAfterMs =
    status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), at) : undefined;
  const { kind, message, ...rest } = explained ?? refusalByStatus(status);
  return new UpstreamError(request.upstream, kind, `${message} (status ${status})`, {
    retryAfterMs: retryAfterMs ?? rest.retryAfterMs,
  });
}

function refusalByStatus(status: number): Refusal {
  if (status === 429) {
    return { kind: 'quota', message: 'quota used up', retryAfterMs: DEFAULT_QUOTA_MS };
  }
  if (status >= 500) return { kind: 'unavailable', message: 'server error' };
  if (isRedirect(status)) return { kind: 'unavailable', message: 'redirect refused' };
  return { kind: 'bad_answer', message: 'request refused' };
}

/**
 * `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date, as milliseconds from `at`.
 * At least a second and at most a day; undefined when there is none that can be read.
 */
function retryAfter(value: string | null, at: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - at;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(wait, 1000), MAX_RETRY_AFTER_MS);
}

/** Names the fault by its code alone: node-fetch writes the URL into its messages. */
function transportFailure(upstream: string, error: unknown, maxBodyBytes: number): UpstreamError {
  if (error instanceof FetchError && error.type === 'max-size') {
    return new UpstreamError(upstream, 'bad_answer', `more than ${maxBodyBytes} bytes`);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return code.startsWith('Z_')
    ? new UpstreamError(upstream, 'bad_answer', `the answer cannot be decompressed (${code})`)
    : new UpstreamError(upstream, 'unavailable', `connection failed (${code})`);
}
