import type { IncomingHttpHeaders } from 'node:http';
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
export interface World {
  places: GeocodedPlace[];
  /** Added to every temperature (at most 30). It distinguishes a later response from an earlier one. */
  warmerBy: number;
  /** Milliseconds until a response of MET Norway expires. */
  metExpiresMs: number;
}

export function createWorld(): World {
  return { places: [...DEFAULT_PLACES], warmerBy: 0, metExpiresMs: 1_800_000 };
}

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const json = (status: number, value: unknown): Answer => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json; charset=utf-8' },
});
const html = (status: number, text: string): Answer => ({
  status,
  body: `<html><body><h1>${text}</h1></body></html>`,
  headers: { 'content-type': 'text/html' },
});
const meteoError = (reason: string) => json(400, { error: true, reason });

type Api = (query: URLSearchParams, world: World, headers: IncomingHttpHeaders) => Answer;
type PointApi = (here: StubWeather, query: URLSearchParams, world: World) => Answer;

/** The text of a coordinate as it was sent. */
const coordinate = (query: URLSearchParams, name: string) =>
  query.get(name) ?? query.get(name.slice(0, 3)) ?? '';

/**
 * An API with responses for points.
 * @param invalid the response for a point that is missing or out of range
 */
function forPoints(invalid: Answer, respond: PointApi): Api {
  return (query, world) => {
    const texts = ['latitude', 'longitude'].map((name) => coordinate(query, name));
    const [latitude = 0, longitude = 0] = texts.map(Number);
    const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    if (texts.includes('') || !isValid) return invalid;
    return respond(stubWeather(latitude, longitude, world.warmerBy), query, world);
  };
}

/** Requires that the client identifies itself. */
function forIdentified(api: Api): Api {
  return (query, world, headers) => {
    const agent = headers['user-agent'];
    if (!agent || agent === 'node-fetch') return html(403, '403 Forbidden');
    return api(query, world, headers);
  };
}

const namesIn = (list: string | null) => (list ?? '').split(',').filter(Boolean);

const openMeteo: PointApi = (here, query) => {
  const quarter = new Date(Math.floor(Date.now() / 900_000) * 900_000).toISOString().slice(0, 16);
  const current: Record<string, unknown> = {
    time: quarter,
    interval: 900,
    temperature_2m: here.temperature,
    relative_humidity_2m: here.humidity,
    weather_code: here.sky.wmo,
    wind_speed_10m: query.get('wind_speed_unit') === 'ms' ? here.windMs : here.windKmh,
    is_day: Number(here.isDay),
  };
  const daily = openMeteoDaily(here, Number(query.get('forecast_days') ?? 7));
  const requested = (name: string) => namesIn(query.get(name));
  const wrong =
    requested('current').find((name) => !(name in current)) ??
    requested('daily').find((name) => !(name in daily));
  if (wrong !== undefined) {
    return meteoError(
      `Data corrupted at path ''. Cannot initialize from invalid String value ${wrong}.`,
    );
  }
  /** Only the requested values. */
  const pick = (values: Record<string, unknown>, names: string[]) =>
    Object.fromEntries(names.map((name) => [name, values[name]]));
  const timezone = query.get('timezone') ?? 'GMT';
  return json(200, {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(here.latitude * 8) / 8),
    longitude: Math.fround(Math.round(here.longitude * 8) / 8),
    timezone: timezone === 'auto' ? here.timeZone : timezone,
    ...(query.has('current')
      ? { current: pick(current, ['time', 'interval', ...requested('current')]) }
      : {}),
    ...(query.has('daily') ? { daily: pick(daily, ['time', ...requested('daily')]) } : {}),
  });
};

const geocoding: Api = (query, world) => {
  const name = query.get('name');
  if (name === null) return meteoError("No value found (expected type 'String') at path 'name'.");
  const count = Number(query.get('count') ?? 10);
  if (!(count >= 1 && count <= 100)) {
    return meteoError('Parameter count must be between 1 and 100.');
  }
  const results = searchPlaces(world.places, name, count, query);
  return json(200, results.length > 0 ? { results } : {});
};

/** @param isComplete whether the response is in the complete format */
function metNorway(isComplete: boolean): Api {
  const respond: PointApi = (here, query, world) => {
    if (/\.\d{5}/.test(query.toString())) return html(403, 'Too many decimals');
    const answer = json(200, { properties: { timeseries: metSteps(here, isComplete) } });
    answer.headers['expires'] = new Date(Date.now() + world.metExpiresMs).toUTCString();
    return answer;
  };
  return forIdentified(forPoints(html(422, 'Unprocessable Entity'), respond));
}

/** An API of OpenWeatherMap, which requires a key. */
function openWeatherMap(respond: PointApi): Api {
  const invalid = json(400, { cod: '400', message: 'wrong latitude or longitude' });
  const api = forPoints(invalid, respond);
  return (query, world, headers) => {
    if (query.get('appid')) return api(query, world, headers);
    const message =
      'Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.';
    return json(401, { cod: 401, message });
  };
}

const openWeatherMapNow: PointApi = (here, query) => {
  const isMetric = query.get('units') === 'metric';
  return json(200, {
    weather: [{ id: here.sky.owm, main: 'Sky', icon: here.isDay ? '04d' : '04n' }],
    main: { temp: here.temperature + (isMetric ? 0 : 273.15), humidity: here.humidity },
    wind: { speed: here.windMs, deg: 0, gust: 2.24 },
    dt: Math.floor(Date.now() / 1000),
    name: '',
    cod: 200,
  });
};

const openWeatherMapForecast: PointApi = (here) =>
  json(200, { cod: '200', message: 0, cnt: 40, list: openWeatherMapSteps(here) });

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const namesOf = ({ latitude, longitude }: StubWeather) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const degreesIn = (name: string, origin: number) =>
  String(Number((Number(name) / 10_000 - origin).toFixed(4)));

const weatherGovPoint: PointApi = (here) => {
  const [gridX, gridY] = namesOf(here);
  return json(200, { properties: { gridId: 'TST', gridX, gridY, timeZone: here.timeZone } });
};

const weatherGovStations: PointApi = (here) => {
  const properties = { stationIdentifier: `K${namesOf(here).join('X')}` };
  return json(200, { features: [{ properties }] });
};

const weatherGovForecast: PointApi = (here) =>
  json(200, { properties: { periods: weatherGovPeriods(here) } });

const weatherGov: PointApi = (here) => {
  const [icon, textDescription] = here.sky.nws;
  const time = here.isDay ? 'day' : 'night';
  const measured = (unit: string, value: number) => ({ unitCode: `wmoUnit:${unit}`, value });
  return json(200, {
    properties: {
      timestamp: new Date(Date.now() - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: `https://api.weather.gov/icons/land/${time}/${icon}?size=medium`,
      temperature: measured('degC', here.temperature),
      windSpeed: measured('km_h-1', here.windMs * 3.6),
      relativeHumidity: measured('percent', here.humidity + 0.2),
    },
  });
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

const weatherGovApi = (respond: PointApi) =>
  forIdentified(forPoints(json(404, { title: 'Not Found' }), respond));

/** The regular response of each path, as the real services send it. */
export const APIS: Record<string, Api> = {
  [PATHS.openMeteo]: forPoints(meteoError('Latitude must be in range of -90 to 90°.'), openMeteo),
  [PATHS.geocoding]: geocoding,
  [PATHS.metNorway]: metNorway(false),
  [PATHS.metNorwayForecast]: metNorway(true),
  [PATHS.openWeatherMap]: openWeatherMap(openWeatherMapNow),
  [PATHS.openWeatherMapForecast]: openWeatherMap(openWeatherMapForecast),
  [PATHS.weatherGovPoint]: weatherGovApi(weatherGovPoint),
  [PATHS.weatherGovStations]: weatherGovApi(weatherGovStations),
  [PATHS.weatherGovForecast]: weatherGovApi(weatherGovForecast),
  [PATHS.weatherGov]: weatherGovApi(weatherGov),
};

/** The key by which calls are counted: the point or the name as it was sent. */
export function keyOf(query: URLSearchParams): string {
  const point = [coordinate(query, 'latitude'), coordinate(query, 'longitude')];
  return query.get('name') ?? point.join(',');
}
