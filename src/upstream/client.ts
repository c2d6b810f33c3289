import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { ObjectSchema } from 'joi';
import fetch from 'node-fetch';
import { UpstreamError } from '../errors.js';
import { withoutTraceHeaders } from '../process/tracing.js';
import {
  isRedirect,
  redirectOnHost,
  statusError,
  transportError,
  type AnswerHeaders,
  type Explain,
  type RawAnswer,
} from './failures.js';
import { withTimeLimit } from '../time-limit.js';
import type { Clock } from '../weather/types.js';
import { STRICTLY } from './schema.js';

export interface JsonRequest<T> {
  /** The upstream's name, for errors and records. */
  upstream: string;
  url: URL;
  /** What the answer must hold; further fields are dropped, nothing is converted. */
  schema: ObjectSchema<T>;
  /** When it aborts, the call ends and the signal's reason is thrown. */
  signal: AbortSignal;
  /**
   * The answer fits into one packet: it is asked for uncompressed. To compress it would save no
   * time on the way, and to decompress it costs more than all the rest of reading it.
   */
  small?: boolean | undefined;
  /** Follows one redirect, when it stays on the same host and leads there over HTTPS. */
  followsOwnHost?: boolean | undefined;
  explain?: Explain | undefined;
}

export interface JsonAnswer<T> {
  body: T;
  headers: AnswerHeaders;
  status: number;
  /** The upstream's own time of the answer, milliseconds since the epoch. */
  at: number;
}

export interface UpstreamClient {
  /**
   * Gets JSON: one attempt, redirected only as the request allows.
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
  /** The largest body, after decompression. */
  maxBodyBytes?: number;
  /** Per upstream host. */
  maxSockets?: number;
  /** Whether upstreams are told of our traces, where OpenTelemetry is attached. */
  sendsTraceHeaders?: boolean;
}

/** To parse a hostile megabyte holds the event loop for 70 ms. The largest real answers have 100 KB. */
const MAX_BODY_BYTES = 256 * 1024;
/**
 * Servers keep idle connections for 5 s or longer. Ours end first. Doubled: some calls fail, because
 * the server has just closed their connection.
 */
const IDLE_SOCKET_MS = 4_000;

/** Outbound JSON over HTTP, with a time limit, a limit on the body and bounded connections. */
export function createUpstreamClient(options: UpstreamOptions): UpstreamClient {
  const { userAgent, timeoutMs, clock, maxBodyBytes = MAX_BODY_BYTES, maxSockets = 64 } = options;
  const agentOptions = {
    keepAlive: true,
    maxSockets,
    // As many as were in use: fewer would have connections made anew all the time under load.
    maxFreeSockets: maxSockets,
    timeout: IDLE_SOCKET_MS,
  };
  const told = <A extends http.Agent>(agent: A) =>
    options.sendsTraceHeaders ? agent : withoutTraceHeaders(agent);
  const agents = {
    'http:': told(new http.Agent(agentOptions)),
    'https:': told(new https.Agent(agentOptions)),
  };

  async function exchange(
    url: URL,
    { small }: JsonRequest<unknown>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const response = await fetch(url, {
      headers: {
        'User-Agent': userAgent,
        Accept: 'application/json',
        ...(small ? { 'Accept-Encoding': 'identity' } : {}),
        ...headers,
      },
      redirect: 'manual',
      size: maxBodyBytes,
      agent: ({ protocol }) => agents[protocol === 'http:' ? 'http:' : 'https:'],
      signal,
    });
    const { status } = response;
    if (!isRedirect(status)) {
      return { status, headers: response.headers, body: await response.text() };
    }
    // Cuts the connection: nobody reads this answer to its end.
    if (response.body instanceof Readable) response.body.destroy();
    return { status, headers: response.headers, body: '' };
  }

  async function follow(
    request: JsonRequest<unknown>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const answer = await exchange(request.url, request, headers, signal);
    const target = request.followsOwnHost ? redirectOnHost(request.url, answer) : undefined;
    return target ? exchange(target, request, headers, signal) : answer;
  }

  /** One attempt, under the time limit and the caller's signal. */
  async function attempt<T>(
    request: JsonRequest<unknown>,
    headers: Record<string, string>,
    read: (answer: RawAnswer) => T,
  ): Promise<T> {
    const { upstream, signal } = request;
    const late = () =>
      new UpstreamError(upstream, 'unavailable', `no answer within ${timeoutMs} ms`);
    try {
      return read(
        await withTimeLimit({ signal, limitMs: timeoutMs, late }, (limited) =>
          follow(request, headers, limited),
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof UpstreamError ? error : transportError(upstream, error, maxBodyBytes);
    }
  }

  return {
    getJson: (request) => attempt(request, {}, (answer) => read(request, answer, clock)),
    getJsonIfModified: (request, since) =>
      attempt(request, { 'If-Modified-Since': since }, (answer) =>
        answer.status === 304
          ? {
              body: undefined,
              headers: answer.headers,
              status: answer.status,
              at: timeOf(answer, clock),
            }
          : read(request, answer, clock),
      ),
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** By the upstream's clock where it tells the time: ours may be wrong. */
function timeOf(answer: RawAnswer, clock: Clock): number {
  return Date.parse(answer.headers.get('date') ?? '') || clock.now();
}

/** @throws UpstreamError when the answer is a refusal, or does not match the schema */
function read<T>(request: JsonRequest<T>, answer: RawAnswer, clock: Clock): JsonAnswer<T> {
  const { upstream, schema } = request;
  const at = timeOf(answer, clock);
  if (answer.status < 200 || answer.status >= 300)
    throw statusError(upstream, answer, at, request.explain);
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.body);
  } catch {
    throw new UpstreamError(upstream, 'bad_answer', 'the answer is not JSON');
  }
  const checked = schema.validate(parsed, STRICTLY);
  if (checked.error) throw new UpstreamError(upstream, 'bad_answer', checked.error.message);
  return { body: checked.value, headers: answer.headers, status: answer.status, at };
}
