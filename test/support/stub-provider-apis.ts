import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_PLACES, searchPlaces, type StubPlace } from './stub-provider-places.js';
import {
  metSteps,
  openMeteoDaily,
  openWeatherMapSteps,
  stubPlace,
  weatherGovPeriods,
} from './stub-provider-forecast.js';
import { stubWeather } from './stub-provider-weather.js';

export const PATHS = {
  openMeteo: '/v1/forecast',
  geocoding: '/v1/search',
  metNorway: '/weatherapi/locationforecast/2.0/compact',
  openWeatherMap: '/data/2.5/weather',
  openWeatherMapForecast: '/data/2.5/forecast',
  weatherGovPoint: '/points/{point}',
  weatherGovStations: '/gridpoints/{grid}/stations',
  weatherGovForecast: '/gridpoints/{grid}/forecast',
  weatherGov: '/stations/{id}/observations/latest',
} as const;

/** What tests can change in the responses of the stub provider. */
export interface World {
  places: StubPlace[];
  /** Added to every temperature (at most 30). It distinguishes a later response from an earlier one. */
  warmerBy: number;
  /** Milliseconds until a response of MET Norway expires. */
  metExpiresMs: number;
  /** By path: the number of calls that are allowed in any window of `windowMs`. Further calls get a 429. */
  limits: Record<string, { calls: number; windowMs: number }>;
  /** Whether api.weather.gov knows the points. */
  weatherGovKnows: boolean;
  /** Stations that it lists first, and that have no observation. */
  weatherGovSilentStations: string[];
  /** The time zone of every point, in place of the real one. */
  timeZone: string | undefined;
}

export function createWorld(): World {
  return {
    places: [...DEFAULT_PLACES],
    warmerBy: 0,
    metExpiresMs: 1_800_000,
    limits: {},
    weatherGovKnows: true,
    weatherGovSilentStations: [],
    timeZone: undefined,
  };
}

export interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

type Api = (query: URLSearchParams, headers: IncomingHttpHeaders, world: World) => Answer;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const json = (status: number, value: unknown): Answer => ({
  status,
  body: JSON.stringify(value),
  headers: JSON_TYPE,
});
const text = (status: number, body: string): Answer => ({
  status,
  body,
  headers: { 'content-type': 'text/html' },
});
const meteoError = (reason: string) => json(400, { error: true, reason });
const number = (value: string | null) =>
  value === null || value.trim() === '' ? Number.NaN : Number(value);

function openMeteo(query: URLSearchParams, world: World): Answer {
  const latitude = number(query.get('latitude'));
  const longitude = number(query.get('longitude'));
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    return meteoError(`Coordinates out of range: ${latitude}, ${longitude}.`);
  }
  const here = stubWeather(latitude, longitude, world.warmerBy);
  const metric = { ms: here.windMs, kmh: here.windKmh }[query.get('wind_speed_unit') ?? 'kmh'];
  const known: Record<string, unknown> = {
    temperature_2m: here.temperature,
    relative_humidity_2m: here.humidity,
    weather_code: here.sky.wmo,
    wind_speed_10m: metric,
    is_day: Number(here.isDay),
  };
  const requested = namesIn(query.get('current'));
  const place = placeOf(latitude, longitude, world);
  const { daily, unknown } = openMeteoDaily(
    place,
    namesIn(query.get('daily')),
    Number(query.get('forecast_days') ?? 7),
  );
  const wrong = requested.find((name) => !(name in known)) ?? unknown;
  if (wrong !== undefined) {
    return meteoError(
      `Data corrupted at path ''. Cannot initialize from invalid String value ${wrong}.`,
    );
  }
  const timezone = query.get('timezone') ?? 'GMT';
  const quarter = new Date(Math.floor(Date.now() / 900_000) * 900_000).toISOString().slice(0, 16);
  const current = {
    time: quarter,
    interval: 900,
    ...Object.fromEntries(requested.map((name) => [name, known[name]])),
  };
  return json(200, {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(latitude * 8) / 8),
    longitude: Math.fround(Math.round(longitude * 8) / 8),
    timezone: timezone === 'auto' ? place.timeZone : timezone,
    ...(query.has('current') ? { current } : {}),
    ...(query.has('daily') ? { daily } : {}),
  });
}

const namesIn = (list: string | null) => (list ?? '').split(',').filter(Boolean);

const placeOf = (latitude: number, longitude: number, { warmerBy, timeZone }: World) =>
  stubPlace(latitude, longitude, { warmerBy, timeZone });

function geocoding(query: URLSearchParams, world: World): Answer {
  const name = query.get('name');
  if (name === null) return meteoError("No value found (expected type 'String') at path 'name'.");
  const count = Number(query.get('count') ?? 10);
  if (!(count >= 1 && count <= 100))
    return meteoError('Parameter count must be between 1 and 100.');
  const results = searchPlaces(world.places, {
    name,
    count,
    language: query.get('language') ?? 'en',
    countryCode: query.get('countryCode') ?? undefined,
  });
  return json(200, results.length > 0 ? { results } : {});
}

function metNorway(query: URLSearchParams, headers: IncomingHttpHeaders, world: World): Answer {
  if (!headers['user-agent'] || headers['user-agent'] === 'node-fetch') {
    return text(403, '<html><body><h1>403 Forbidden</h1></body></html>');
  }
  const [lat, lon] = [query.get('lat') ?? '', query.get('lon') ?? ''];
  if (/\.\d{5}/.test(lat) || /\.\d{5}/.test(lon)) return text(403, 'Too many decimals');
  const [latitude, longitude] = [number(lat), number(lon)];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    return text(422, 'Unprocessable Entity');
  }
  const here = stubWeather(latitude, longitude, world.warmerBy);
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const timeseries = metSteps(placeOf(latitude, longitude, world), here);
  return {
    ...json(200, {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude, 4] },
      properties: {
        meta: { updated_at: new Date(hour).toISOString(), units: { wind_speed: 'm/s' } },
        timeseries,
      },
    }),
    headers: {
      'content-type': 'application/json',
      expires: new Date(Date.now() + world.metExpiresMs).toUTCString(),
    },
  };
}

function openWeatherMap(query: URLSearchParams, world: World): Answer {
  if (!query.get('appid')) {
    const message =
      'Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.';
    return json(401, { cod: 401, message });
  }
  const [latitude, longitude] = [number(query.get('lat')), number(query.get('lon'))];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    return json(400, { cod: '400', message: 'wrong latitude or longitude' });
  }
  const here = stubWeather(latitude, longitude, world.warmerBy);
  const metric = query.get('units') === 'metric';
  return json(200, {
    weather: [{ id: here.sky.owm, main: 'Sky', icon: here.isDay ? '04d' : '04n' }],
    main: {
      temp: metric ? here.temperature : here.temperature + 273.15,
      feels_like: 0.75,
      humidity: here.humidity,
    },
    wind: { speed: here.windMs, deg: 0, gust: 2.24 },
    dt: Math.floor(Date.now() / 1000),
    name: '',
    cod: 200,
  });
}

function openWeatherMapForecast(query: URLSearchParams, world: World): Answer {
  const current = openWeatherMap(query, world);
  if (current.status !== 200) return current;
  const [latitude, longitude] = [number(query.get('lat')), number(query.get('lon'))];
  const list = openWeatherMapSteps(
    placeOf(latitude, longitude, world),
    query.get('units') === 'metric',
  );
  return json(200, { cod: '200', message: 0, cnt: list.length, list, city: { name: '' } });
}

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const toNumbers = (latitude: number, longitude: number) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const fromNumbers = (numbers: number[]) => ({
  latitude: Number(((numbers[0] ?? 0) / 10_000 - 90).toFixed(4)),
  longitude: Number(((numbers[1] ?? 0) / 10_000 - 180).toFixed(4)),
});

function weatherGovPoint(query: URLSearchParams, world: World): Answer {
  const [latitude, longitude] = [number(query.get('lat')), number(query.get('lon'))];
  const unknown = (type: string) => json(404, { type: `https://api.weather.gov/problems/${type}` });
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return unknown('NotFound');
  if (!world.weatherGovKnows) return unknown('InvalidPoint');
  const [gridX, gridY] = toNumbers(latitude, longitude);
  const { timeZone } = placeOf(latitude, longitude, world);
  return json(200, { properties: { gridId: 'TST', gridX, gridY, timeZone } });
}

function weatherGovStations(query: URLSearchParams, world: World): Answer {
  const id = `K${toNumbers(Number(query.get('lat')), Number(query.get('lon'))).join('X')}`;
  const stations = [...world.weatherGovSilentStations, id];
  return json(200, {
    type: 'FeatureCollection',
    features: stations.map((stationIdentifier) => ({ properties: { stationIdentifier } })),
  });
}

function weatherGovForecast(query: URLSearchParams, world: World): Answer {
  const place = placeOf(number(query.get('lat')), number(query.get('lon')), world);
  return json(200, { type: 'Feature', properties: { periods: weatherGovPeriods(place) } });
}

function weatherGov(query: URLSearchParams, headers: IncomingHttpHeaders, world: World): Answer {
  if (!headers['user-agent']) return text(403, 'Access Denied');
  const [latitude, longitude] = [number(query.get('lat')), number(query.get('lon'))];
  if (Number.isNaN(latitude)) return json(404, { title: 'Not Found' });
  const here = stubWeather(latitude, longitude, world.warmerBy);
  const [icon, textDescription] = here.sky.nws;
  const value = (unit: string, measured: number) => ({
    unitCode: `wmoUnit:${unit}`,
    value: measured,
  });
  return json(200, {
    type: 'Feature',
    properties: {
      timestamp: new Date(Date.now() - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: `https://api.weather.gov/icons/land/${here.isDay ? 'day' : 'night'}/${icon}?size=medium`,
      temperature: value('degC', here.temperature),
      windSpeed: value('km_h-1', here.windMs * 3.6),
      relativeHumidity: value('percent', here.humidity + 0.2),
    },
  });
}

/** Moves the values in a path of api.weather.gov into a query. The path becomes its pattern. */
export function routeOf(url: URL): { path: string; query: URLSearchParams } {
  const [, point] = /^\/points\/([^/]+)$/.exec(url.pathname) ?? [];
  if (point !== undefined) {
    const [lat = '', lon = ''] = point.split(',');
    return { path: PATHS.weatherGovPoint, query: new URLSearchParams({ lat, lon }) };
  }
  const [, x, y] =
    /^\/gridpoints\/TST\/(\d+),(\d+)\/(?:stations|forecast)$/.exec(url.pathname) ??
    /^\/stations\/K(\d+)X(\d+)\/observations\/latest$/.exec(url.pathname) ??
    [];
  const isStation = /^\/stations\/\w+\/observations\/latest$/.test(url.pathname);
  let path = url.pathname;
  if (isStation) path = PATHS.weatherGov;
  else if (x !== undefined) {
    const isForecast = path.endsWith('/forecast');
    path = isForecast ? PATHS.weatherGovForecast : PATHS.weatherGovStations;
  }
  if (x === undefined) return { path, query: url.searchParams };
  const { latitude, longitude } = fromNumbers([Number(x), Number(y)]);
  return { path, query: new URLSearchParams({ lat: String(latitude), lon: String(longitude) }) };
}

/** The regular response of each path, as the real services send it. */
export const APIS: Record<string, Api> = {
  [PATHS.openMeteo]: (query, _headers, world) => openMeteo(query, world),
  [PATHS.geocoding]: (query, _headers, world) => geocoding(query, world),
  [PATHS.metNorway]: metNorway,
  [PATHS.openWeatherMap]: (query, _headers, world) => openWeatherMap(query, world),
  [PATHS.openWeatherMapForecast]: (query, _headers, world) => openWeatherMapForecast(query, world),
  [PATHS.weatherGovPoint]: (query, _headers, world) => weatherGovPoint(query, world),
  [PATHS.weatherGovStations]: (query, _headers, world) => weatherGovStations(query, world),
  [PATHS.weatherGovForecast]: (query, _headers, world) => weatherGovForecast(query, world),
  [PATHS.weatherGov]: weatherGov,
};

/** The key by which calls are counted: the point or the name as it was sent. */
export function keyOf(query: URLSearchParams): string {
  const point = [
    query.get('latitude') ?? query.get('lat'),
    query.get('longitude') ?? query.get('lon'),
  ];
  return query.get('name') ?? point.join(',');
}
