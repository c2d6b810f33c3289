import { shownAt } from './stub-provider-damage.js';
import { AVIATION_WEATHER } from './stub-provider-aviation-weather.js';
import { MET_NORWAY } from './stub-provider-met-norway.js';
import { OPEN_METEO } from './stub-provider-open-meteo.js';
import { OPENWEATHERMAP } from './stub-provider-openweathermap.js';
import { WEATHER_GOV } from './stub-provider-weather-gov.js';
import type { Api, Route, Stub, World } from './stub-provider-world.js';

const STUBS: Stub[] = [OPEN_METEO, MET_NORWAY, OPENWEATHERMAP, WEATHER_GOV, AVIATION_WEATHER];

const APIS = Object.assign({}, ...STUBS.map(({ apis }) => apis)) as Record<string, Api>;

/** The route of an address. */
export function routeOf(url: URL): Route {
  const [route] = STUBS.flatMap((stub) => stub.routeOf?.(url) ?? []);
  return route ?? { path: url.pathname, query: url.searchParams };
}

/** The point of a query as it was sent. */
function pointOf(query: URLSearchParams): string[] {
  const coordinate = (name: string) => query.get(name) ?? query.get(name.slice(0, 3)) ?? '';
  return [coordinate('latitude'), coordinate('longitude')];
}

/** The key by which calls are counted: the point or the name as it was sent. */
export function keyOf(query: URLSearchParams): string {
  return query.get('name') ?? pointOf(query).join(',');
}

/** Milliseconds until a response of MET Norway expires. */
const MET_EXPIRES_MS = 1_800_000;

/** A path's response without a fault. @param now response time in milliseconds since the epoch */
export function regularResponse({ path, query }: Route, world: World, now: number) {
  const [latitude = 0, longitude = 0] = pointOf(query).map(Number);
  const damage = world.damages.get(keyOf(query)) ?? {};
  const here = shownAt(latitude, longitude, damage, now);
  const value = APIS[path]?.(here, query, world) ?? {};
  const status = Math.max(...STUBS.map((stub) => stub.statusOf?.({ path, query }, world) ?? 200));
  const expires = new Date(now + MET_EXPIRES_MS).toUTCString();
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(path.startsWith('/weatherapi/') ? { expires } : {}),
    },
    body: status === 204 ? '' : JSON.stringify(value),
  };
}
