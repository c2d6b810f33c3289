import { JSON_HEADERS } from '../../src/http/middleware/security-headers.js';
import type { City } from '../../src/http/page/browser/service/questions.js';
import { assertDescribed } from './described-responses.js';
import { answerOf } from './http-client.js';
import examples from './page-responses.json' with { type: 'json' };

/** A service in memory for the page at `/`. It responds as the API description says. */

interface Reply {
  status?: number;
  body: object;
  headers?: Record<string, string>;
}
type Endpoint = 'weather' | 'forecast' | 'places' | 'recent-searches' | 'health';
type Responder = (path: string, method: string) => Reply | Promise<Reply> | undefined;

const { fresh, weather, forecast, places } = examples;

export const failure = (status: number, error: string, headers = {}, message = 'why'): Reply => ({
  ...{ status, headers, body: { error, message } },
});
export const unavailable = (retryAfter: number) =>
  failure(503, 'Service unavailable', { 'Retry-After': String(retryAfter) });
export const rejected = (retryAfter: number, headers = {}) =>
  failure(429, 'Rate limit exceeded', { 'Retry-After': String(retryAfter), ...headers });
export function unreachable(): never {
  throw new TypeError('Failed to fetch');
}

/** The current weather, or the forecast, of a place with this name. */
export const weatherOf = (location: City, headers = {}): Reply => ({
  body: { ...weather, location: { ...weather.location, ...location } },
  headers: { ...fresh, 'X-Weather-Is-Day': '1', ...headers },
});
export const forecastOf = (location: City, headers = {}): Reply => ({
  body: { ...forecast, location: { ...forecast.location, ...location } },
  headers: { ...fresh, ...headers },
});

/** The places whose names begin with a text. */
export function placesOf(q: string, country: string | null = null): Reply {
  const inCountry = places.filter((place) => [place.country, null].includes(country));
  if (inCountry.length === 0) return failure(400, 'Geocoding failed');
  const found = inCountry.filter(({ city }) => city.toLowerCase().startsWith(q.toLowerCase()));
  return { body: { places: found }, headers: { 'Cache-Control': 'public, max-age=86400' } };
}

/** A response that arrives when the test sends it. */
export function lateReply() {
  let resolve: (reply: Reply) => void;
  const reply = new Promise<Reply>((resolves) => (resolve = resolves));
  const send = (sent: Reply) => {
    resolve(sent);
  };
  return { reply, send };
}

export function pageService() {
  let recent: City[] = [];

  function usual(method: string, endpoint: Endpoint, query: URLSearchParams): Reply {
    const { city = '', country = '', q = '' } = Object.fromEntries(query);
    const found = query.has('lat') ? { city: 'Potsdam', country: 'Germany' } : { city, country };
    if (endpoint === 'health') return { body: { status: 'alive' } };
    if (endpoint === 'places') return placesOf(q, query.get('country'));
    if (endpoint === 'forecast') return forecastOf(found);
    if (endpoint === 'recent-searches') {
      const headers = { 'Cache-Control': 'private, no-store' };
      if (method === 'GET') return { body: { recent_searches: recent }, headers };
      recent = [];
      return { body: { message: 'Recent searches cleared' } };
    }
    if (city === 'Olso')
      return failure(400, 'Geocoding failed', {}, 'Why. Did you mean Oslo, or Os?');
    if (!places.some((place) => place.city === found.city)) return failure(400, 'Geocoding failed');
    if (city) recent = [{ city, country }, ...recent.filter((each) => each.city !== city)];
    return weatherOf(found);
  }

  const service = {
    /** The requests, oldest first: `GET api/v1/recent-searches`. */
    calls: [] as string[],
    callsFor: (text: string) => service.calls.filter((call) => call.includes(text)),
    /** The requests that the page has aborted, oldest first. */
    aborted: [] as string[],
    /** Functions that respond instead of the service, unless they return undefined. */
    instead: {} as Partial<Record<Endpoint, Responder>>,
    /** Errors about responses that are not described. The page would treat them as failed requests. */
    undescribed: [] as unknown[],
    /** The `fetch` of the page. */
    fetch: async (target: string, { method, signal }: { method: string; signal: AbortSignal }) => {
      service.calls.push(`${method} ${target}`);
      const aborts = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          service.aborted.push(target);
          reject(new Error('aborted'));
        });
      });
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      const endpoint = pathname.split('/')[3] as Endpoint;
      const given =
        service.instead[endpoint]?.(target, method) ?? usual(method, endpoint, searchParams);
      const { status = 200, body, headers: own } = await Promise.race([given, aborts]);
      const headers = new Headers({
        ...JSON_HEADERS,
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Request-ID': 'abc',
        Date: new Date().toUTCString(),
        ...own,
      });
      const bytes = Buffer.from(JSON.stringify(body));
      const url = `http://localhost/${target}`;
      try {
        assertDescribed(method, answerOf(url, status, Object.fromEntries(headers), bytes));
      } catch (error) {
        service.undescribed.push(error);
      }
      // A `Response` needs an unknown number of event loop iterations until it has its body.
      return { ok: status < 400, status, headers, json: () => Promise.resolve(body) };
    },
  };
  return service;
}
