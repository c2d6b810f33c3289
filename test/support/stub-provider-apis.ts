import { DEFAULT_PLACES, searchPlaces, type GeocodedPlace } from './stub-provider-places.js';
import {
  metSteps,
  openMeteoDaily,
  openMeteoHourly,
  openWeatherMapSteps,
  weatherGovHours,
  weatherGovPeriods,
} from './stub-provider-forecast.js';
import { oneDecimal } from './stub-provider-weather.js';
import { map, shownAt, type Damage, type Shown, type Value } from './stub-provider-damage.js';

export const PATHS = {
  openMeteo: '/v1/forecast',
  geocoding: '/v1/search',
  metNorway: '/weatherapi/locationforecast/2.0/complete',
  openWeatherMap: '/data/2.5/weather',
  openWeatherMapForecast: '/data/2.5/forecast',
  weatherGovPoint: '/points/{point}',
  weatherGovStations: '/gridpoints/{point}/stations',
  weatherGovForecast: '/gridpoints/{point}/forecast',
  weatherGovHourly: '/gridpoints/{point}/forecast/hourly',
  weatherGov: '/stations/{point}/observations/latest',
} as const;

/** What tests can change in the responses of the stub provider. */
interface World {
  places: GeocodedPlace[];
  /** Added to every temperature (at most 30). It distinguishes a later response from an earlier one. */
  warmerBy: number;
  /** Milliseconds until a response of MET Norway expires. */
  metExpiresMs: number;
  /** What is wrong with the data of points, by their key. */
  damages: Map<string, Damage>;
  /** The office whose grid api.weather.gov has. It does not know the cells of another office. */
  gridOffice: string;
}

export function createWorld(): World {
  return {
    ...{ places: [...DEFAULT_PLACES], warmerBy: 0, metExpiresMs: 1_800_000 },
    ...{ damages: new Map(), gridOffice: 'TST' },
  };
}

const kmhOfMs = (value: Value) => map(value, (ms) => oneDecimal(ms * 3.6));

/** Returns the body of the response to a query about a point. */
type Api = (here: Shown, query: URLSearchParams, world: World) => object;

const openMeteo: Api = (here, query) => {
  const current: Record<string, unknown> = {
    temperature_2m: here.temperature,
    relative_humidity_2m: here.humidity,
    apparent_temperature: here.feelsLike,
    weather_code: here.sky?.wmo ?? null,
    pressure_msl: here.pressure,
    // The sum of a quarter of an hour.
    precipitation: map(here.rain, (rate) => rate / 4),
    cloud_cover: here.clouds,
    wind_speed_10m: kmhOfMs(here.wind),
    wind_direction_10m: map(here.direction, Math.round),
    wind_gusts_10m: kmhOfMs(here.gustMs),
    visibility: here.visibility,
    uv_index: here.uv,
    is_day: Number(here.isDay),
  };
  const isUnixTime = query.get('timeformat') === 'unixtime';
  const hourly = openMeteoHourly(here, Number(query.get('forecast_hours') ?? 168), isUnixTime);
  const daily = openMeteoDaily(here, Number(query.get('forecast_days') ?? 7));
  const requested = (group: string, values: Record<string, unknown>) =>
    Object.fromEntries((query.get(group) ?? '').split(',').map((name) => [name, values[name]]));
  const quarter = new Date(Math.floor(here.now / 900_000) * 900_000).toISOString();
  const now = { time: quarter.slice(0, 16), interval: 900 };
  return {
    // The grid cell of the model, not the point of the request.
    latitude: Math.fround(Math.round(here.latitude * 8) / 8),
    longitude: Math.fround(Math.round(here.longitude * 8) / 8),
    timezone: query.get('timezone') === 'auto' ? here.timeZone : 'GMT',
    ...(query.has('current') ? { current: { ...now, ...requested('current', current) } } : {}),
    ...(query.has('hourly')
      ? { hourly: { time: hourly['time'], ...requested('hourly', hourly) } }
      : {}),
    ...(query.has('daily') ? { daily: { time: daily['time'], ...requested('daily', daily) } } : {}),
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

const openWeatherMap: Api = (here, query) => {
  const isMetric = query.get('units') === 'metric';
  const { sky, humidity } = here;
  const temp = map(here.temperature, (celsius) => celsius + (isMetric ? 0 : 273.15));
  return {
    weather: sky ? [{ id: sky.owm, main: 'Sky', icon: here.isDay ? '04d' : '04n' }] : [],
    main: { temp, feels_like: here.feelsLike, humidity, pressure: here.pressure },
    visibility: here.visibility,
    wind: { speed: here.wind, deg: here.direction, gust: here.gustMs },
    clouds: { all: here.clouds },
    // Absent when dry.
    ...(here.rain === 0 ? {} : { rain: { '1h': here.rain } }),
    dt: Math.floor(here.now / 1000),
    name: '',
    cod: 200,
  };
};

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const namesOf = ({ latitude, longitude }: Shown) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const degreesIn = (name: string, origin: number) =>
  String(Number((Number(name) / 10_000 - origin).toFixed(4)));

const weatherGovPoint: Api = (here, _query, { gridOffice }) => {
  const [gridX, gridY] = namesOf(here);
  return { properties: { gridId: gridOffice, gridX, gridY, timeZone: here.timeZone } };
};

const weatherGov: Api = (here) => {
  const [icon, textDescription] = here.sky?.nws ?? [null, ''];
  const time = here.isDay ? 'day' : 'night';
  const isCold = (here.temperature ?? 0) < 10;
  const isHot = (here.temperature ?? 0) > 21;
  const measured = (unit: string, value: Value) => ({
    unitCode: `wmoUnit:${unit}`,
    value: value ?? null,
  });
  return {
    properties: {
      timestamp: new Date(here.now - 600_000).toISOString().replace(/\.\d+Z$/, '+00:00'),
      textDescription,
      icon: icon && `https://api.weather.gov/icons/land/${time}/${icon}?size=medium`,
      temperature: measured('degC', here.temperature),
      windChill: measured('degC', isCold ? here.feelsLike : null),
      heatIndex: measured('degC', isHot ? here.feelsLike : null),
      dewpoint: measured('degC', here.dewPoint),
      windSpeed: measured('km_h-1', kmhOfMs(here.wind)),
      windDirection: measured('degree_(angle)', here.direction),
      windGust: measured('km_h-1', kmhOfMs(here.gustMs)),
      barometricPressure: measured('Pa', 101_190),
      seaLevelPressure: measured(
        'Pa',
        map(here.pressure, (pressure) => pressure * 100),
      ),
      visibility: measured('m', here.visibility),
      // Null when dry.
      precipitationLastHour: measured('mm', here.rain === 0 ? null : here.rain),
      presentWeather: [],
      cloudLayers: [],
      relativeHumidity: measured(
        'percent',
        map(here.humidity, (humidity) => humidity + 0.2),
      ),
    },
  };
};

/** A path of api.weather.gov with a point, or with the name of a grid cell or a station. */
const WEATHER_GOV =
  /^\/(points|gridpoints|stations)\/(?:([A-Z]{3})\/|K)?([\d.-]+)[,X]([\d.-]+)(\/.+)?$/;

/** Moves the point in a path of api.weather.gov into a query. The path becomes its pattern. */
export function routeOf(url: URL): { path: string; query: URLSearchParams } {
  const [, folder, office = '', x = '', y = '', rest = ''] = WEATHER_GOV.exec(url.pathname) ?? [];
  if (folder === undefined) return { path: url.pathname, query: url.searchParams };
  const [lat, lon] = folder === 'points' ? [x, y] : [degreesIn(x, 90), degreesIn(y, 180)];
  return { path: `/${folder}/{point}${rest}`, query: new URLSearchParams({ lat, lon, office }) };
}

/** The regular response of each path, as the real services send it. */
const APIS: Record<string, Api> = {
  [PATHS.openMeteo]: openMeteo,
  [PATHS.geocoding]: geocoding,
  [PATHS.metNorway]: (here) => ({ properties: { timeseries: metSteps(here) } }),
  [PATHS.openWeatherMap]: openWeatherMap,
  [PATHS.openWeatherMapForecast]: (here) => ({ cod: '200', list: openWeatherMapSteps(here) }),
  [PATHS.weatherGovPoint]: weatherGovPoint,
  [PATHS.weatherGovStations]: (here) => ({
    features: [{ properties: { stationIdentifier: `K${namesOf(here).join('X')}` } }],
  }),
  [PATHS.weatherGovForecast]: (here) => ({ properties: { periods: weatherGovPeriods(here) } }),
  [PATHS.weatherGovHourly]: (here) => ({ properties: { periods: weatherGovHours(here) } }),
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
    body: JSON.stringify(APIS[path]?.(here, query, world) ?? {}),
  };
}

function statusOf(path: string, query: URLSearchParams, { gridOffice }: World): number {
  if (path.startsWith('/data/2.5/') && !query.get('appid')) return 401;
  return path.startsWith('/gridpoints/') && query.get('office') !== gridOffice ? 404 : 200;
}
