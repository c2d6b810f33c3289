import { DEFAULT_PLACES, searchPlaces, type GeocodedPlace } from './stub-provider-places.js';
import {
  metSteps,
  openMeteoDaily,
  openWeatherMapSteps,
  weatherGovPeriods,
} from './stub-provider-forecast.js';
import { stubWeather, type StubWeather } from './stub-provider-weather.js';

export const PATHS = {
  openMeteo: '/v1/forecast',
  geocoding: '/v1/search',
  metNorway: '/weatherapi/locationforecast/2.0/compact',
  metNorwayForecast: '/weatherapi/locationforecast/2.0/complete',
  openWeatherMap: '/data/2.5/weather',
  openWeatherMapForecast: '/data/2.5/forecast',
  weatherGovPoint: '/points/{point}',
  weatherGovStations: '/gridpoints/{point}/stations',
  weatherGovForecast: '/gridpoints/{point}/forecast',
  weatherGov: '/stations/{point}/observations/latest',
} as const;

/** What tests can change in the responses of the stub provider. */
interface World {
  places: GeocodedPlace[];
  /** Added to every temperature (at most 30). It distinguishes a later response from an earlier one. */
  warmerBy: number;
  /** Milliseconds until a response of MET Norway expires. */
  metExpiresMs: number;
}

export function createWorld(): World {
  return { places: [...DEFAULT_PLACES], warmerBy: 0, metExpiresMs: 1_800_000 };
}

/** Returns the body of the response to a query about a point. */
type Api = (here: StubWeather, query: URLSearchParams, world: World) => object;

const openMeteo: Api = (here, query) => {
  const current: Record<string, unknown> = {
    temperature_2m: here.temperature,
    relative_humidity_2m: here.humidity,
    weather_code: here.sky.wmo,
    wind_speed_10m: query.get('wind_speed_unit') === 'ms' ? here.windMs : here.windKmh,
    is_day: Number(here.isDay),
  };
  const daily = openMeteoDaily(here, Number(query.get('forecast_days') ?? 7));
  const requested = (group: string, values: Record<string, unknown>) =>
    Object.fromEntries((query.get(group) ?? '').split(',').map((name) => [name, values[name]]));
  const quarter = new Date(Math.floor(Date.now() / 900_000) * 900_000).toISOString();
  const now = { time: quarter.slice(0, 16), interval: 900 };
  return {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(here.latitude * 8) / 8),
    longitude: Math.fround(Math.round(here.longitude * 8) / 8),
    timezone: query.get('timezone') === 'auto' ? here.timeZone : 'GMT',
    ...(query.has('current') ? { current: { ...now, ...requested('current', current) } } : {}),
    ...(query.has('daily') ? { daily: { time: daily['time'], ...requested('daily', daily) } } : {}),
  };
};

/** Without a match, the member `results` is missing. */
const geocoding: Api = (_here, query, { places }) => {
  const results = searchPlaces(places, query);
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.54883957 };
};

const openWeatherMap: Api = (here, query) => {
  const isMetric = query.get('units') === 'metric';
  return {
    weather: [{ id: here.sky.owm, main: 'Sky', icon: here.isDay ? '04d' : '04n' }],
    main: { temp: here.temperature + (isMetric ? 0 : 273.15), humidity: here.humidity },
    wind: { speed: here.windMs, deg: 0, gust: 2.24 },
    dt: Math.floor(Date.now() / 1000),
    name: '',
    cod: 200,
  };
};

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const namesOf = ({ latitude, longitude }: StubWeather) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const degreesIn = (name: string, origin: number) =>
  String(Number((Number(name) / 10_000 - origin).toFixed(4)));

const weatherGovPoint: Api = (here) => {
  const [gridX, gridY] = namesOf(here);
  return { properties: { gridId: 'TST', gridX, gridY, timeZone: here.timeZone } };
};

const weatherGov: Api = (here) => {
  const [icon, textDescription] = here.sky.nws;
  const time = here.isDay ? 'day' : 'night';
  const measured = (unit: string, value: number) => ({ unitCode: `wmoUnit:${unit}`, value });
  return {
    properties: {
      timestamp: new Date(Date.now() - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: `https://api.weather.gov/icons/land/${time}/${icon}?size=medium`,
      temperature: measured('degC', here.temperature),
      windSpeed: measured('km_h-1', here.windMs * 3.6),
      relativeHumidity: measured('percent', here.humidity + 0.2),
    },
  };
};

/** A path of api.weather.gov with a point, or with the name of a grid cell or a station. */
const WEATHER_GOV = /^\/(points|gridpoints|stations)\/(?:TST\/|K)?([\d.-]+)[,X]([\d.-]+)(\/.+)?$/;

/** Moves the point in a path of api.weather.gov into a query. The path becomes its pattern. */
export function routeOf(url: URL): { path: string; query: URLSearchParams } {
  const [, folder, x = '', y = '', rest = ''] = WEATHER_GOV.exec(url.pathname) ?? [];
  if (folder === undefined) return { path: url.pathname, query: url.searchParams };
  const [lat, lon] = folder === 'points' ? [x, y] : [degreesIn(x, 90), degreesIn(y, 180)];
  return { path: `/${folder}/{point}${rest}`, query: new URLSearchParams({ lat, lon }) };
}

/** The regular response of each path, as the real services send it. */
const APIS: Record<string, Api> = {
  [PATHS.openMeteo]: openMeteo,
  [PATHS.geocoding]: geocoding,
  [PATHS.metNorway]: (here) => ({ properties: { timeseries: metSteps(here, false) } }),
  [PATHS.metNorwayForecast]: (here) => ({ properties: { timeseries: metSteps(here, true) } }),
  [PATHS.openWeatherMap]: openWeatherMap,
  [PATHS.openWeatherMapForecast]: (here) => ({ cod: '200', list: openWeatherMapSteps(here) }),
  [PATHS.weatherGovPoint]: weatherGovPoint,
  [PATHS.weatherGovStations]: (here) => ({
    features: [{ properties: { stationIdentifier: `K${namesOf(here).join('X')}` } }],
  }),
  [PATHS.weatherGovForecast]: (here) => ({ properties: { periods: weatherGovPeriods(here) } }),
  [PATHS.weatherGov]: weatherGov,
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
export function regularResponse(path: string, query: URLSearchParams, world: World) {
  const [latitude = 0, longitude = 0] = pointOf(query).map(Number);
  const here = stubWeather(latitude, longitude, world.warmerBy);
  const isWithoutKey = path.startsWith('/data/2.5/') && !query.get('appid');
  const expires = new Date(Date.now() + world.metExpiresMs).toUTCString();
  return {
    status: isWithoutKey ? 401 : 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(path.startsWith('/weatherapi/') ? { expires } : {}),
    },
    body: JSON.stringify(APIS[path]?.(here, query, world) ?? {}),
  };
}
