import { map, type Shown, type Value } from './stub-provider-damage.js';
import type { Api, StubKind } from './stub-provider-kind.js';
import { PATHS } from './stub-provider-world.js';

/** The parts of api.weather.gov that several kinds have: points, grid cells, stations, and units. */

/** The names of grid cells and stations contain their point, in ten-thousandths of a degree from 0. */
const namesOf = ({ latitude, longitude }: Shown) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const degreesIn = (name: string, origin: number) =>
  String(Number((Number(name) / 10_000 - origin).toFixed(4)));

const weatherGovPoint: Api = (here, _query, { gridOffice }) => {
  const [gridX, gridY] = namesOf(here);
  return { properties: { gridId: gridOffice, gridX, gridY, timeZone: here.timeZone } };
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

export const POINTS: StubKind = {
  apis: {
    [PATHS.weatherGovPoint]: weatherGovPoint,
    [PATHS.weatherGovStations]: (here) => ({
      features: [{ properties: { stationIdentifier: `K${namesOf(here).join('X')}` } }],
    }),
  },
};

export const fahrenheit = (value: Value) => map(value, (celsius) => celsius * 1.8 + 32);
export const percent = (value: Value) => ({ unitCode: 'wmoUnit:percent', value: value ?? null });

/** The wind in words. A range ends with the maximum. */
export function windText(mph: Value): string {
  if (typeof mph !== 'number') return '';
  return mph > 5 ? `${mph - 5} to ${mph} mph` : `${mph} mph`;
}
