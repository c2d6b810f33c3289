/** Sends requests to the service, and turns every failure into a `Failure`. */
import { queryOf, type City, type Question } from './questions.js';

/** Milliseconds after which a request fails. The service itself ends a request only after two minutes. */
const TIME_LIMIT_MS = 60_000;
/** Number of days that the page shows. */
const FORECAST_DAYS = 7;

/** A rate limit: the remaining requests, and the seconds until one more is available. */
export interface Limits {
  limit: string;
  remaining: string;
  moreIn: number;
}

/** A failed request. */
export class Failure extends Error {
  /** Seconds; 0 if the service gives no time. */
  readonly retryAfter: number;
  readonly requestId: string | null;
  readonly limits: Limits | undefined;

  /** @param status 0 if the service did not respond @param title member `error` of the response body */
  constructor(
    readonly status: number,
    readonly title = '',
    message = '',
    headers = new Headers(),
  ) {
    super(message);
    this.retryAfter = Number(headers.get('Retry-After'));
    this.requestId = headers.get('X-Request-ID');
    this.limits = limitsOf(headers);
  }
}

/** Returns the failure that was thrown. A bug of the page is reported as a failure of the service. */
export function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(500);
}

export interface Answer {
  body: unknown;
  headers: Headers;
}

/**
 * Sends a request, and returns the parsed body of a successful response.
 * @param path relative to the page
 * @throws Failure, or the reason of the signal if it aborts
 */
export async function ask(path: string, signal: AbortSignal, method = 'GET'): Promise<Answer> {
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

/** The body of a response with the current weather. */
export interface Weather {
  location: City;
  temperature: number;
  condition: string;
  humidity: number;
  wind_speed: number;
}

/** Requests the current weather. The body of the answer is a `Weather`. */
export function askWeather(question: Question, signal: AbortSignal): Promise<Answer> {
  const path = 'lat' in question ? 'api/v1/weather/coordinates' : 'api/v1/weather';
  return ask(path + queryOf(question), signal);
}

/** One day of a forecast. The date is local to the place. */
export interface Day {
  date: string;
  temperature_min: number;
  temperature_max: number;
  condition: string;
  /** Percent. */
  precipitation_probability: number | null;
}

/** The body of a response with the daily forecast. */
export interface Forecast {
  timezone: string;
  days: Day[];
}

/** Requests the daily forecast. The body of the answer is a `Forecast`. */
export function askForecast(question: Question, signal: AbortSignal): Promise<Answer> {
  const path = 'lat' in question ? 'api/v1/forecast/coordinates' : 'api/v1/forecast';
  return ask(`${path}${queryOf(question)}&days=${FORECAST_DAYS}`, signal);
}

/** Whether a response has an expired cache entry, because every provider failed. */
export const isStale = (headers: Headers) => headers.get('X-Cache') === 'STALE';

/** Returns the time of a response in milliseconds since the epoch, by the clock of the service. */
export function timeOf(headers: Headers): number {
  return Date.parse(headers.get('Date') ?? '') || Date.now();
}

/** Reads the rate limit from the headers, by the clock of the service. Returns undefined if there is no limit. */
export function limitsOf(headers: Headers): Limits | undefined {
  const value = (name: string) => headers.get(`X-RateLimit-${name}`) ?? '';
  const limit = value('Limit');
  if (limit === '') return undefined;
  const moreIn = Math.max(0, Number(value('Reset')) - timeOf(headers) / 1000);
  return { limit, remaining: value('Remaining'), moreIn };
}
