/** Asks the service, and brings its failures into one form. */

/** The service itself ends a request after two minutes; nobody waits that long for a page. */
const TIME_LIMIT_MS = 60_000;

export interface City {
  city: string;
  country: string;
}

/** What is asked for: a city, or a point in decimal degrees. */
export type Question = City | { lat: string; lon: string };

/** How many requests are left of a limit, and in how many seconds there is one more. */
export interface Limits {
  limit: string;
  remaining: string;
  moreIn: number;
}

/** An answer that is none. */
export class Failure extends Error {
  /** In seconds; 0 where the service does not say. */
  readonly retryAfter: number;
  readonly requestId: string | null;
  readonly limits: Limits | undefined;

  /** @param status 0 when nothing was to be heard of the service @param title the body's `error` */
  constructor(
    readonly status: number,
    readonly title = '',
    message = '',
    headers = new Headers(),
  ) {
    super(message);
    this.retryAfter = Number(headers.get('Retry-After') ?? 0);
    this.requestId = headers.get('X-Request-ID');
    this.limits = limitsOf(headers);
  }
}

export interface Answer {
  body: unknown;
  headers: Headers;
}

/**
 * @param path relative to the page
 * @throws Failure, or whatever the signal was aborted with
 */
export async function ask(path: string, signal: AbortSignal, method = 'GET'): Promise<Answer> {
  signal.throwIfAborted();
  // Not AbortSignal.any, which many a browser in use lacks.
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
    // No connection, or not a word of JSON: a proxy or a hotspot answers in the service's place.
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

/** The weather, as the service's description has it. */
export interface Weather {
  location: City;
  temperature: number;
  condition: string;
  humidity: number;
  wind_speed: number;
}

export function askWeather(question: Question, signal: AbortSignal): Promise<Answer> {
  const path = 'lat' in question ? 'api/v1/weather/coordinates' : 'api/v1/weather';
  return ask(path + queryOf(question), signal);
}

/** With the question mark. */
export function queryOf(question: Question): string {
  return `?${new URLSearchParams({ ...question }).toString()}`;
}

/** By the service's clock: this machine's may be wrong. Undefined: there is no limit. */
export function limitsOf(headers: Headers): Limits | undefined {
  const value = (name: string) => headers.get(`X-RateLimit-${name}`) ?? '';
  const limit = value('Limit');
  if (limit === '') return undefined;
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  const moreIn = Math.max(0, Number(value('Reset')) - now / 1000);
  return { limit, remaining: value('Remaining'), moreIn };
}
