/** Sends requests to the service, and turns every failure into a `Failure`. */

/** Milliseconds after which a request fails. The service itself ends a request only after two minutes. */
const TIME_LIMIT_MS = 60_000;

/** A rate limit. */
export interface Limits {
  /** The number of requests that remain. */
  remaining: number;
  /** Seconds until one more is available. */
  moreIn: number;
}

/** A failed request. */
export class Failure extends Error {
  /** Seconds; 0 if the service gives no time. */
  readonly retryAfter: number;
  readonly requestId: string | null;

  /** @param status 0 if the service did not respond @param title member `error` of the response body */
  constructor(
    readonly status: number,
    readonly title = '',
    message = '',
    readonly headers = new Headers(),
  ) {
    super(message);
    this.retryAfter = Number(headers.get('Retry-After'));
    this.requestId = headers.get('X-Request-ID');
  }
}

/** Returns the failure that was thrown. A bug of the page is reported as a failure of the service. */
export function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(500);
}

/**
 * Sends a request, and returns the parsed body of a successful response.
 * @param path relative to the page
 * @throws Failure, or the reason of the signal if it aborts
 */
export async function ask(path: string, signal: AbortSignal, method = 'GET') {
  signal.throwIfAborted();
  // Some browsers in use do not have `AbortSignal.any`.
  const either = new AbortController();
  const end = () => {
    either.abort();
  };
  const timer = setTimeout(end, TIME_LIMIT_MS);
  signal.addEventListener('abort', end);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, { method, signal: either.signal });
    body = await response.json();
  } catch {
    signal.throwIfAborted();
    // Either there is no connection, or a proxy or a hotspot responded instead of the service, without JSON.
    throw new Failure(0);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
  const { ok, status, headers } = response;
  if (ok) return { body, headers };
  const { error, message } = body as { error?: string; message?: string };
  throw new Failure(status === 502 || status === 504 ? 0 : status, error, message, headers);
}

/** Whether a response has an expired cache entry, because every provider failed. */
export const isStale = (headers: Headers) => headers.get('X-Cache') === 'STALE';

/** Returns the time of a response in milliseconds since the epoch, by the clock of the service. */
export function timeOf(headers: Headers): number {
  return Date.parse(headers.get('Date') ?? '') || Date.now();
}

/** Reads the rate limit from the headers, by the clock of the service. Returns undefined if there is no limit. */
export function limitsOf(headers: Headers): Limits | undefined {
  const remaining = headers.get('X-RateLimit-Remaining');
  if (remaining === null) return undefined;
  const moreIn = Number(headers.get('X-RateLimit-Reset')) - timeOf(headers) / 1000;
  return { remaining: Number(remaining), moreIn: Math.max(0, moreIn) };
}
