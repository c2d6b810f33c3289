import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_PLACES, searchPlaces, type GeocodedPlace } from './stub-provider-places.js';
import {
  metSteps,
  openMeteoDaily,
  openWeatherMapSteps,
  stubPlace,
  weatherGovPeriods,
  type StubPlace,
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
  weatherGovStations: '/gridpoints/{grid}/stations',
  weatherGovForecast: '/gridpoints/{grid}/forecast',
  weatherGov: '/stations/{id}/observations/latest',
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

/** A point and the weather there. */
interface Here {
  place: StubPlace;
  weather: StubWeather;
}

type Api = (query: URLSearchParams, world: World, headers: IncomingHttpHeaders) => Answer;
type PointApi = (here: Here, query: URLSearchParams, world: World) => Answer;

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
    const place = stubPlace(latitude, longitude, world.warmerBy);
    const weather = stubWeather(latitude, longitude, world.warmerBy);
    return respond({ place, weather }, query, world);
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

const openMeteo: PointApi = ({ place, weather }, query) => {
  const known: Record<string, unknown> = {
    temperature_2m: weather.temperature,
    relative_humidity_2m: weather.humidity,
    weather_code: weather.sky.wmo,
    wind_speed_10m: query.get('wind_speed_unit') === 'ms' ? weather.windMs : weather.windKmh,
    is_day: Number(weather.isDay),
  };
  const requested = namesIn(query.get('current'));
  const dayCount = Number(query.get('forecast_days') ?? 7);
  const { daily, unknown } = openMeteoDaily(place, namesIn(query.get('daily')), dayCount);
  const wrong = requested.find((name) => !(name in known)) ?? unknown;
  if (wrong !== undefined) {
    return meteoError(
      `Data corrupted at path ''. Cannot initialize from invalid String value ${wrong}.`,
    );
  }
  const timezone = query.get('timezone') ?? 'GMT';
  const quarter = new Date(Math.floor(Date.now() / 900_000) * 900_000).toISOString().slice(0, 16);
  const values = Object.fromEntries(requested.map((name) => [name, known[name]])) as object;
  const current = { time: quarter, interval: 900, ...values };
  return json(200, {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(place.latitude * 8) / 8),
    longitude: Math.fround(Math.round(place.longitude * 8) / 8),
    timezone: timezone === 'auto' ? place.timeZone : timezone,
    ...(query.has('current') ? { current } : {}),
    ...(query.has('daily') ? { daily } : {}),
  });
};

const geocoding: Api = (query, world) => {
  const name = query.get('name');
  if (name === null) return meteoError("No value found (expected type 'String') at path 'name'.");
  const count = Number(query.get('count') ?? 10);
  if (!(count >= 1 && count <= 100)) {
    return meteoError('Parameter count must be between 1 and 100.');
  }
  const results = searchPlaces(world.places, {
    name,
    count,
    language: query.get('language') ?? 'en',
    countryCode: query.get('countryCode') ?? undefined,
  });
  return json(200, results.length > 0 ? { results } : {});
};

/** @param isComplete whether the response is in the complete format */
function metNorway(isComplete: boolean): Api {
  const respond: PointApi = ({ place, weather }, query, world) => {
    if (/\.\d{5}/.test(query.toString())) return html(403, 'Too many decimals');
    const properties = {
      meta: { updated_at: new Date().toISOString(), units: { wind_speed: 'm/s' } },
      timeseries: metSteps(place, weather, isComplete),
    };
    const coordinates = [place.longitude, place.latitude, 4];
    const answer = json(200, {
      type: 'Feature',
      geometry: { type: 'Point', coordinates },
      properties,
    });
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

const isMetric = (query: URLSearchParams) => query.get('units') === 'metric';

const openWeatherMapNow: PointApi = ({ weather }, query) =>
  json(200, {
    weather: [{ id: weather.sky.owm, main: 'Sky', icon: weather.isDay ? '04d' : '04n' }],
    main: {
      temp: isMetric(query) ? weather.temperature : weather.temperature + 273.15,
      feels_like: 0.75,
      humidity: weather.humidity,
    },
    wind: { speed: weather.windMs, deg: 0, gust: 2.24 },
    dt: Math.floor(Date.now() / 1000),
    name: '',
    cod: 200,
  });

const openWeatherMapForecast: PointApi = ({ place }, query) => {
  const list = openWeatherMapSteps(place, isMetric(query));
  return json(200, { cod: '200', message: 0, cnt: list.length, list, city: { name: '' } });
};

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const toNumbers = ({ latitude, longitude }: StubPlace) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const fromNumbers = (...numbers: [x: string, y: string]): string[] =>
  numbers
    .map((text, index) => Number(text) / 10_000 - [90, 180][index]!)
    .map((degrees) => String(Number(degrees.toFixed(4))));

const weatherGovPoint: PointApi = ({ place }) => {
  const [gridX, gridY] = toNumbers(place);
  return json(200, { properties: { gridId: 'TST', gridX, gridY, timeZone: place.timeZone } });
};

const weatherGovStations: PointApi = ({ place }) => {
  const stationIdentifier = `K${toNumbers(place).join('X')}`;
  return json(200, {
    type: 'FeatureCollection',
    features: [{ properties: { stationIdentifier } }],
  });
};

const weatherGovForecast: PointApi = ({ place }) =>
  json(200, { type: 'Feature', properties: { periods: weatherGovPeriods(place) } });

const weatherGov: PointApi = ({ weather }) => {
  const [icon, textDescription] = weather.sky.nws;
  const time = weather.isDay ? 'day' : 'night';
  const measured = (unit: string, value: number) => ({ unitCode: `wmoUnit:${unit}`, value });
  return json(200, {
    type: 'Feature',
    properties: {
      timestamp: new Date(Date.now() - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: `https://api.weather.gov/icons/land/${time}/${icon}?size=medium`,
      temperature: measured('degC', weather.temperature),
      windSpeed: measured('km_h-1', weather.windMs * 3.6),
      relativeHumidity: measured('percent', weather.humidity + 0.2),
    },
  });
};

/** The paths of api.weather.gov, with two values each, and the point in these values. */
const ROUTES: [path: string, pattern: RegExp, pointIn: typeof fromNumbers][] = [
  [PATHS.weatherGovPoint, /^\/points\/([\d.-]+),([\d.-]+)$/, (lat, lon) => [lat, lon]],
  [PATHS.weatherGovStations, /^\/gridpoints\/TST\/(\d+),(\d+)\/stations$/, fromNumbers],
  [PATHS.weatherGovForecast, /^\/gridpoints\/TST\/(\d+),(\d+)\/forecast$/, fromNumbers],
  [PATHS.weatherGov, /^\/stations\/K(\d+)X(\d+)\/observations\/latest$/, fromNumbers],
];

/** Moves the values in a path of api.weather.gov into a query. The path becomes its pattern. */
export function routeOf(url: URL): { path: string; query: URLSearchParams } {
  for (const [path, pattern, pointIn] of ROUTES) {
    const [matched, x = '', y = ''] = pattern.exec(url.pathname) ?? [];
    if (matched === undefined) continue;
    const [lat = '', lon = ''] = pointIn(x, y);
    return { path, query: new URLSearchParams({ lat, lon }) };
  }
  return { path: url.pathname, query: url.searchParams };
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
