import { DEFAULT_PLACES, type GeocodedPlace } from './stub-provider-places.js';
import type { Damage, Shown } from './stub-provider-damage.js';

export const PATHS = {
  openMeteo: '/v1/forecast',
  openMeteoAir: '/v1/air-quality',
  geocoding: '/v1/search',
  metNorway: '/weatherapi/locationforecast/2.0/complete',
  openWeatherMap: '/data/2.5/weather',
  openWeatherMapForecast: '/data/2.5/forecast',
  openWeatherMapAir: '/data/2.5/air_pollution',
  weatherGovPoint: '/points/{point}',
  weatherGovForecast: '/gridpoints/{point}/forecast',
  weatherGovHourly: '/gridpoints/{point}/forecast/hourly',
  aviationWeather: '/api/data/metar',
} as const;

/** What tests can change in the responses of the stub provider. */
export interface World {
  places: GeocodedPlace[];
  /** What is wrong with the data of points, by their key. */
  damages: Map<string, Damage>;
  /** The points that have a station of aviationweather.gov near them. */
  stations: [latitude: number, longitude: number][];
  /** The office whose grid api.weather.gov has. It does not know the cells of another office. */
  gridOffice: string;
}

export function createWorld(): World {
  return {
    ...{ places: [...DEFAULT_PLACES], damages: new Map(), gridOffice: 'TST', stations: [] },
  };
}

/** Returns the body of the response to a query about a point. */
export type Api = (here: Shown, query: URLSearchParams, world: World) => object;

/** A path, or its pattern if it contains values, which are moved into the query. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

/** A provider, as the stub provider serves it. */
export interface Stub {
  /** The regular response of each path, as the real service sends it. */
  apis: Record<string, Api>;
  /** Returns the route of an address whose path contains values. */
  routeOf?: (url: URL) => Route | undefined;
  /** Returns the status of a response, if it can be another one than 200. */
  statusOf?: (route: Route, world: World) => number;
}
