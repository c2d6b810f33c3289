import { searchPlaces } from './stub-provider-places.js';
import { shownAt } from './stub-provider-damage.js';
import type { Api, StubKind } from './stub-provider-kind.js';
import { MET_NORWAY } from './stub-provider-met-norway.js';
import { OPEN_METEO } from './stub-provider-open-meteo.js';
import { OPENWEATHERMAP } from './stub-provider-openweathermap.js';
import { WEATHER_GOV } from './stub-provider-weather-gov.js';
import { PATHS, type World } from './stub-provider-world.js';

const KINDS = [OPEN_METEO, MET_NORWAY, OPENWEATHERMAP, WEATHER_GOV];

/** Every group that is requested, with the variables that are requested of it. */
const openMeteoOf = (kinds: StubKind[]): Api => {
  const groups = Object.entries(
    Object.assign({}, ...kinds.map(({ openMeteo }) => openMeteo)) as NonNullable<
      StubKind['openMeteo']
    >,
  );
  return (here, query) => {
    const requested = groups.filter(([name]) => query.has(name));
    return {
      // The grid cell of the model, not the point of the request.
      latitude: Math.fround(Math.round(here.latitude * 8) / 8),
      longitude: Math.fround(Math.round(here.longitude * 8) / 8),
      timezone: query.get('timezone') === 'auto' ? here.timeZone : (query.get('timezone') ?? 'GMT'),
      ...Object.fromEntries(
        requested.map(([name, valuesOf]) => {
          const values = valuesOf(here, query);
          const variables = ['time', 'interval', ...(query.get(name) ?? '').split(',')];
          return [name, Object.fromEntries(variables.map((each) => [each, values[each]]))];
        }),
      ),
    };
  };
};

/** The number of calls that a call counts as, as Open-Meteo counts it for one point. */
export function openMeteoCost(query: Record<string, string>): number {
  const lists = ['current', 'hourly', 'daily'].flatMap((name) => query[name]?.split(',') ?? []);
  const days = Number(query['forecast_days'] ?? 7);
  return Math.max(1, lists.length / 10, (lists.length / 10) * (days / 14));
}

/** Without a match, the member `results` is missing. */
const geocoding: Api = (_here, query, { places }) => {
  const results = searchPlaces(places, query);
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.54883957 };
};

/** The regular response of each path, as the real services send it. @param more kinds besides those of every test */
export const apisOf = (more: StubKind[]): Record<string, Api> => {
  const kinds = [...KINDS, ...more];
  return Object.assign(
    { [PATHS.openMeteo]: openMeteoOf(kinds), [PATHS.geocoding]: geocoding },
    ...kinds.map(({ apis }) => apis),
  ) as Record<string, Api>;
};

/** The point of a query as it was sent. */
function pointOf(query: URLSearchParams): string[] {
  const coordinate = (name: string) => query.get(name) ?? query.get(name.slice(0, 3)) ?? '';
  return [coordinate('latitude'), coordinate('longitude')];
}

/** The key by which calls are counted: the point or the name as it was sent. */
export function keyOf(query: URLSearchParams): string {
  return query.get('name') ?? pointOf(query).join(',');
}

/** The response of a path without a fault. */
export function regularResponse(
  apis: Record<string, Api>,
  path: string,
  query: URLSearchParams,
  world: World,
) {
  const [latitude = 0, longitude = 0] = pointOf(query).map(Number);
  const { paths = [path], ...damage } = world.damages.get(keyOf(query)) ?? {};
  const shown = paths.includes(path) ? damage : {};
  const here = shownAt(latitude, longitude, world.warmerBy, shown);
  const expires = new Date(Date.now() + world.metExpiresMs).toUTCString();
  return {
    status: statusOf(path, query, world),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(path.startsWith('/weatherapi/') ? { expires } : {}),
    },
    body: JSON.stringify(apis[path]?.(here, query, world) ?? {}),
  };
}

function statusOf(path: string, query: URLSearchParams, { gridOffice }: World): number {
  if (path.startsWith('/data/2.5/') && !query.get('appid')) return 401;
  return path.startsWith('/gridpoints/') && query.get('office') !== gridOffice ? 404 : 200;
}
