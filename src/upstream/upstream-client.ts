import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { AnySchema } from 'joi';
import fetch, { type RequestInit } from 'node-fetch';
import type { Logger } from 'pino';
import { UpstreamError } from '../weather/errors.js';
import { createConnections } from './connections.js';
import {
  isRedirect,
  redirectOnHost,
  statusError,
  transportError,
  type ResponseHeaders,
  type Explain,
  type RawResponse,
} from './failures.js';
import { MAX_BODY_BYTES } from './response-limits.js';
import { BoundError, parseBounded } from '../base/bounded-json.js';
import { withTimeLimit } from '../base/time-limit.js';
import type { Clock } from '../weather/types.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../weather/time/durations.js';
import { validate } from './schema.js';

export interface JsonRequest<T> {
  upstream: string;
  url: URL;
  /** The required content of the response. Other fields are dropped, no value is converted. */
  schema: AnySchema<T>;
  /** The content of a response without a body, such as a 204. Absent: a 204 has no data. */
  empty?: T;
  signal: AbortSignal;
  /** Whether to request it uncompressed: for one packet, compression costs more than it saves. */
  uncompressed?: boolean | undefined;
  /** Whether one redirect is followed, if it leads to the same host over HTTPS. */
  followsOwnHost?: boolean | undefined;
  explain?: Explain | undefined;
}

export interface JsonResponse<T> {
  body: T;
  headers: ResponseHeaders;
  status: number;
  /** The time of the response by the upstream's clock, in milliseconds since the epoch. */
  at: number;
  /** The time of the response by each clock that may be right: `at`, and that of this process. */
  referenceTimes: number[];
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/**
 * Clocks that differ by fewer milliseconds count as equal: such a difference does not decide
 * whether data is good.
 */
const CLOCKS_AGREE_MS = MINUTE_MS;

/**
 * Beyond this difference, the time of the upstream does not count: an intermediary may have sent an
 * old copy with its old `Date`. Over TLS, the clock of this process cannot be wrong by years.
 * Longer: older data counts as current. Shorter: a clock of this process that is slow by an hour,
 * or in the wrong time zone, makes good data old.
 */
const MAX_CLOCK_DIFFERENCE_MS = HOUR_MS;

/**
 * Maximum number of commas and opening brackets: the largest real responses have about 7,000. A
 * response of the maximum size with one member in every eight bytes takes more than 10 ms to parse.
 */
const MAX_PARTS = 12_000;

/**
 * Creates an HTTP client for JSON, with a timeout and a maximum body size. Its callers limit the
 * number of calls in flight.
 * @param options.timeoutMs timeout of one attempt, from the connection to the last byte
 */
export function createUpstreamClient(options: {
  userAgent: string;
  timeoutMs: number;
  lookup: LookupFunction;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}) {
  const { userAgent, timeoutMs, lookup, clock, log } = options;
  const connections = createConnections({ lookup, timeoutMs });
  const clocks = createClocks(clock, log);

  async function exchange(
    url: URL,
    { uncompressed }: JsonRequest<unknown>,
    signal: AbortSignal,
  ): Promise<RawResponse> {
    const options: RequestInit = {
      headers: {
        'User-Agent': userAgent,
        Accept: 'application/json',
        ...(uncompressed ? { 'Accept-Encoding': 'identity' } : {}),
      },
      redirect: 'manual',
      size: MAX_BODY_BYTES,
      signal,
    };
    return connections.send(async (agent) => {
      const response = await fetch(url, { ...options, agent });
      const { status, headers } = response;
      if (!isRedirect(status)) return { status, headers, body: await response.text() };
      // Closes the connection: the body is not read.
      if (response.body instanceof Readable) response.body.destroy();
      return { status, headers, body: '' };
    });
  }

  async function follow(request: JsonRequest<unknown>, signal: AbortSignal): Promise<RawResponse> {
    const response = await exchange(request.url, request, signal);
    const target = request.followsOwnHost ? redirectOnHost(request.url, response) : undefined;
    return target ? exchange(target, request, signal) : response;
  }

  return {
    /**
     * Gets JSON, in one attempt.
     * @throws UpstreamError for every failure. Its message never contains the URL, which may have a
     *   key
     * @throws the signal's reason if the signal aborts
     */
    async getJson<T>(request: JsonRequest<T>): Promise<JsonResponse<T>> {
      const { upstream, signal } = request;
      const late = () =>
        new UpstreamError(upstream, 'unavailable', `no response within ${timeoutMs} ms`);
      try {
        const limit = { signal, limitMs: timeoutMs, late };
        const response = await withTimeLimit(limit, (limited) => follow(request, limited));
        return read(request, response, clocks);
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof UpstreamError ? error : transportError(upstream, error);
      }
    },
    close: connections.close,
  };
}

const NO_CONTENT = 204;

/**
 * Reads a response.
 * @throws UpstreamError if the status is not 2xx, or the body does not match the schema
 */
function read<T>(
  request: JsonRequest<T>,
  response: RawResponse,
  timesOf: ReturnType<typeof createClocks>,
): JsonResponse<T> {
  const { upstream, schema, explain } = request;
  const { status, headers } = response;
  const { at, referenceTimes } = timesOf(upstream, headers);
  if (status < 200 || status >= 300) throw statusError(upstream, response, at, explain);
  const { empty } = request;
  if (response.body === '' && empty === undefined && status === NO_CONTENT) {
    throw new UpstreamError(upstream, 'no_data', `no content (status ${status})`);
  }
  const isEmpty = response.body === '' && empty !== undefined;
  const body = isEmpty ? empty : parseJson(upstream, schema, response.body);
  return { body, headers, status, at, referenceTimes };
}

/**
 * Returns the function that reads the times of a response. A wrong clock is logged once a day for
 * each upstream.
 */
function createClocks(clock: Clock, log: Pick<Logger, 'warn'>) {
  const loggedAt = new Map<string, number>();
  return (
    upstream: string,
    headers: ResponseHeaders,
  ): Pick<JsonResponse<unknown>, 'at' | 'referenceTimes'> => {
    const here = clock.now();
    const at = timeOf(headers) ?? here;
    const difference = Math.abs(at - here);
    if (difference < CLOCKS_AGREE_MS) return { at, referenceTimes: [at] };
    if (difference <= MAX_CLOCK_DIFFERENCE_MS) return { at, referenceTimes: [at, here] };
    const now = clock.monotonic();
    if (now - (loggedAt.get(upstream) ?? -Infinity) >= DAY_MS) {
      loggedAt.set(upstream, now);
      const text = (time: number) => new Date(time).toISOString();
      const times = { provider_time: text(at), process_time: text(here) };
      log.warn({ event: 'clocks_differ', provider: upstream, ...times });
    }
    return { at, referenceTimes: [here] };
  };
}

/**
 * The time of a response by the clock of its upstream; undefined without a valid `Date` (RFC 9111,
 * 4.2.3).
 */
function timeOf(headers: ResponseHeaders): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  const age = headers.get('age') ?? '';
  const ageSeconds = /^\d{1,9}$/.test(age) ? Number(age) : 0;
  return Number.isNaN(date) ? undefined : date + ageSeconds * 1000;
}

function parseJson<T>(upstream: string, schema: AnySchema<T>, text: string): T {
  let parsed: unknown;
  try {
    parsed = parseBounded(text, MAX_PARTS);
  } catch (error) {
    // The message of the parser would contain a part of the text.
    const fault = error instanceof BoundError ? `has ${error.message}` : 'is not JSON';
    throw new UpstreamError(upstream, 'bad_answer', `the response ${fault}`);
  }
  return validate(upstream, schema, parsed);
}
