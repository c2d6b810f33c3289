import { DEFAULT_PLACES, type GeocodedPlace } from './stub-provider-places.js';
import type { Damage } from './stub-provider-damage.js';

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
