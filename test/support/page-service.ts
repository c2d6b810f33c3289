import { JSON_HEADERS } from '../../src/http/answer.js';
import type { City } from '../../src/http/page/browser/state/queries.js';
import { description3 } from '../../tools/openapi/index.js';
import { nameIn } from '../../tools/openapi/types.js';
import { assertDescribed } from './described-responses.js';
import { answerOf } from './http-client.js';

/** A service in memory for the page at `/`. It responds as the API description says. */

export interface Reply {
  status?: number;
  body: object;
  headers?: Record<string, string>;
}
type Endpoint =
  'conditions' | 'hours' | 'days' | 'air-quality' | 'pollen' | 'places' | 'recent-searches';
type Responder = (path: string, method: string) => Reply | Promise<Reply> | undefined;

const responseOf = (path: string) => description3.paths[path]!['get']!.responses['200']!;

/** The example of a response in the API description. A new member of a response is in it. */
const exampleOf = (path: string): object =>
  responseOf(path).content!['application/json'].example ?? {};

/** The headers of a response with the examples of the API description, if they have one. */
function headersOf(path: string): Record<string, string> {
  const headers = Object.entries(responseOf(path).headers ?? {}).flatMap(([name, { $ref }]) => {
    const { schema } = description3.components.headers[nameIn($ref)]!;
    const [example] = (schema.examples ?? schema.enum ?? []) as (string | number)[];
    return example === undefined ? [] : [[name, String(example)]];
  });
  return Object.fromEntries(headers) as Record<string, string>;
}

const fresh = headersOf('/api/v1/conditions');
/** The first time zone in which a day begins. */
const ZONE = { timezone: 'Pacific/Kiritimati' };
/** The values that tests expect, whatever the examples have. */
const SKY = { condition: 'Slight rain', weather_code: 61, precipitation: 0.4 };
const WIND = { wind_speed: 11.2, wind_direction: 210, wind_gusts: 24.1 };
const NOW = {
  ...{ ...SKY, ...WIND, temperature: 8.4, feels_like: 5.9, humidity: 87, cloud_cover: 100 },
  ...{ dew_point: 6.4, pressure: 1009.2, visibility: null, uv_index: null, is_day: false },
};
const DAY = {
  ...{ ...SKY, temperature_min: 4.1, temperature_max: 9, precipitation: 3.4 },
  ...{ precipitation_probability: 62, wind_gusts_max: 39.6, snowfall: 0, day_length: 32_220 },
  ...{ moon_phase: 0.48, moonrise: '2026-11-25T15:48', moonset: null },
};
const conditions = exampleOf('/api/v1/conditions') as { location: object; place: object };
const hours = { ...(exampleOf('/api/v1/forecast/hourly') as { hours: object[] }), ...ZONE };
const [hour] = hours.hours;
const days = { ...(exampleOf('/api/v1/forecast') as { days: object[] }), ...ZONE };
const usualDays = [
  { date: '2026-11-25', sunrise: '2026-11-25T06:05', sunset: '2026-11-25T18:20' },
  {
    ...{ date: '2026-11-26', temperature_min: -9.6, temperature_max: -0.3 },
    ...{ weather_code: 0, condition: 'Clear sky', precipitation_probability: 4 },
  },
];
/** Suggestions that the service knows. */
const places = [
  ['Potsdam', 'Germany', 'DE', 'Brandenburg'],
  ['Potsdam, New York', 'United States', 'US', 'New York'],
  ['Lima', 'Peru', 'PE', null],
  ['Oslo', 'Norway', 'NO', 'Oslo'],
].map(([city, country, code, region]) => ({
  ...{ city, country, country_code: code, region, latitude: 1, longitude: 2 },
}));

/** Hours, days, and the conditions at a point are the same for everybody. */
const PUBLIC = headersOf('/api/v1/conditions/coordinates');

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

const codeOf = ({ country }: City) =>
  places.find((place) => place.country === country)?.country_code ?? 'XX';

/** The current weather of a place with this name. */
export const conditionsOf = (location: City, headers = {}, changes: object = {}): Reply => ({
  body: {
    ...conditions,
    ...NOW,
    location: { ...conditions.location, ...location },
    place: {
      ...conditions.place,
      region: 'Somewhere',
      country_code: codeOf(location),
      ...ZONE,
      ...location,
    },
    ...changes,
  },
  headers: { ...fresh, ...headers },
});

/** Local times of consecutive hours. @param offset of the time zone: `+01:00` */
export function timesFrom(start: string, offset: string, count: number): string[] {
  const first = Date.parse(`${start}:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const local = new Date(first + index * 3_600_000).toISOString().slice(0, 16);
    return local + offset;
  });
}

/** The next hours. @param changes each hour's difference from the usual one */
export const hoursOf = (changes: object[] = usualHours(), headers = {}): Reply => ({
  body: { ...hours, hours: changes.map((each) => ({ ...hour, ...each })) },
  headers: { ...fresh, ...PUBLIC, ...headers },
});

const usualHours = () =>
  timesFrom('2026-11-25T01:00', '+14:00', 24).map((time, index) => ({
    time,
    temperature: index - 12,
    is_day: index >= 7,
  }));

/** The next days. @param changes each day's difference from the first of the usual ones */
export const daysOf = (changes: object[] = usualDays, headers = {}): Reply => ({
  body: { ...days, days: changes.map((each) => ({ ...days.days[0], ...DAY, ...each })) },
  headers: { ...fresh, ...PUBLIC, ...headers },
});

/** The air, as in the API description. @param changes the differences from it */
export const airOf = (
  name: 'air-quality' | 'pollen',
  changes: object = {},
  headers = {},
): Reply => ({
  body: { ...exampleOf(`/api/v1/${name}`), ...changes },
  headers: { ...headersOf(`/api/v1/${name}`), ...headers },
});

/** The recent searches. */
export const searchesOf = (searches: City[]): Reply => ({
  body: { recent_searches: searches },
  headers: { 'Cache-Control': 'private, no-store' },
});

/** The places of a text: a name, its beginning, or its part before a comma, in any language. */
export function placesOf(q: string): Reply {
  const text = q.toLowerCase();
  const found = places.filter(({ city, country }) => {
    const names = [city, ...(city === 'Lima' ? ['Ciudad de los Reyes'] : [])];
    return names.some((name) => {
      const whole = `${name!}, ${country!}`.toLowerCase();
      return text.includes(',') ? whole === text : whole.startsWith(text);
    });
  });
  return {
    body: { places: found },
    headers: { 'Cache-Control': 'public, max-age=86400', Age: '0' },
  };
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

/** The header of the response for Olso: the same request for other places. */
const SIMILAR = ['Oslo', 'Os']
  .map(
    (city) => `<?city=${city}&country=Norway>; rel="alternate"; title*=UTF-8''${city}%2C%20Norway`,
  )
  .join(', ');

function endpointOf(path: string): Endpoint {
  const [, , , name = '', part] = path.split('/');
  if (name !== 'forecast') return name as Endpoint;
  return part === 'hourly' ? 'hours' : 'days';
}

export function pageService() {
  let recent: City[] = [];

  function usual(method: string, endpoint: Endpoint, query: URLSearchParams): Reply {
    const { city = '', country = '', q = '' } = Object.fromEntries(query);
    const isPublic = query.has('lat') || query.has('code');
    const found = isPublic ? { city: 'Potsdam', country: 'Germany' } : { city, country };
    if (endpoint === 'places') return placesOf(q);
    if (endpoint === 'hours') return hoursOf();
    if (endpoint === 'days') return daysOf();
    if (endpoint === 'air-quality' || endpoint === 'pollen') return airOf(endpoint);
    if (endpoint === 'recent-searches') {
      if (method === 'GET') return searchesOf(recent);
      recent = [];
      return { body: { message: 'Recent searches cleared' } };
    }
    if (city === 'Olso') return failure(400, 'Geocoding failed', { Link: SIMILAR });
    const isKnown = places.some((place) => place.city === found.city);
    if (!isKnown) return failure(400, 'Geocoding failed');
    if (city) recent = [{ city, country }, ...recent.filter((each) => each.city !== city)];
    const airport = { ...conditions.place, airport: 'Sea Airport', code: query.get('code') };
    const changes = query.has('code') ? { place: airport } : {};
    return conditionsOf(found, isPublic ? PUBLIC : {}, changes);
  }

  const service = {
    /** The requests, oldest first: `GET api/v1/recent-searches`. */
    calls: [] as string[],
    /** Whether each request has the cookies of the session: `same-origin` or `omit`. */
    credentials: [] as string[],
    callsFor: (text: string) => service.calls.filter((call) => call.includes(text)),
    /** The requests that the page has aborted, oldest first. */
    aborted: [] as string[],
    /** Functions that respond instead of the service, unless they return undefined. */
    instead: {} as Partial<Record<Endpoint, Responder>>,
    /** Errors about undescribed responses, which the page would treat as failed requests. */
    undescribed: [] as unknown[],
    /** The `fetch` of the page. */
    fetch: async (
      target: string,
      { method = 'GET', credentials = 'same-origin', signal }: RequestInit,
    ) => {
      service.calls.push(`${method} ${target}`);
      service.credentials.push(credentials);
      const aborts = new Promise<never>((_resolve, reject) => {
        signal!.addEventListener('abort', () => {
          service.aborted.push(target);
          reject(new Error('aborted'));
        });
      });
      // A test may respond before, or throw.
      aborts.catch(() => undefined);
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      const endpoint = endpointOf(pathname);
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
