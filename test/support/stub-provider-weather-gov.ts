import {
  map,
  shownDay,
  type DayValues,
  shownDays,
  shownHour,
  type Shown,
  type Value,
} from './stub-provider-damage.js';
import { PATHS, type Api, type Route, type Stub } from './stub-provider-world.js';

/** api.weather.gov, as the stub provider serves it. */

const HOUR_MS = 3_600_000;

/** The names of grid cells contain their point, in ten-thousandths of a degree from 0. */
const namesOf = ({ latitude, longitude }: Shown) =>
  [latitude + 90, longitude + 180].map((value) => Math.round(value * 10_000));
const degreesIn = (name: string, origin: number) =>
  String(Number((Number(name) / 10_000 - origin).toFixed(4)));

const point: Api = (here, _query, { gridOffice }) => {
  const [gridX, gridY] = namesOf(here);
  return { properties: { gridId: gridOffice, gridX, gridY, timeZone: here.timeZone } };
};

/** A path of api.weather.gov with a point, or with the name of a grid cell. */
const PATH_WITH_POINT = /^\/(points|gridpoints)\/(?:([A-Z]{3})\/)?([\d.-]+),([\d.-]+)(\/.+)?$/;

/** Moves the point in a path of api.weather.gov into a query. The path becomes its pattern. */
function routeOf(url: URL): Route | undefined {
  const [, folder, office = '', x = '', y = '', rest = ''] =
    PATH_WITH_POINT.exec(url.pathname) ?? [];
  if (folder === undefined) return undefined;
  const [lat, lon] = folder === 'points' ? [x, y] : [degreesIn(x, 90), degreesIn(y, 180)];
  return { path: `/${folder}/{point}${rest}`, query: new URLSearchParams({ lat, lon, office }) };
}

const fahrenheit = (value: Value) => map(value, (celsius) => celsius * 1.8 + 32);
const percent = (value: Value) => ({ unitCode: 'wmoUnit:percent', value: value ?? null });

/** The wind in words. A range ends with the maximum. */
function windText(mph: Value): string {
  if (typeof mph !== 'number') return '';
  return mph > 5 ? `${mph - 5} to ${mph} mph` : `${mph} mph`;
}

/**
 * The fourteen periods: daytimes and nights. The minimum of a date is that of the night before it.
 * A night belongs to two dates, so its weather is the less severe of both.
 */
function periods(here: Shown) {
  const tomorrow = (date: string) =>
    new Date(Date.parse(date) + 24 * HOUR_MS).toISOString().slice(0, 10);
  const half = (
    date: string,
    isDaytime: boolean,
    shown: Omit<DayValues, 'min' | 'max'>,
    temperature: Value,
  ) => ({
    // The service ignores the offset from UTC.
    startTime: `${date}T${isDaytime ? '06' : '18'}:00:00-08:00`,
    isDaytime,
    temperature: fahrenheit(temperature),
    temperatureUnit: 'F',
    probabilityOfPrecipitation: percent(shown.probability),
    windSpeed: isDaytime ? windText(shown.windMph) : '0 mph',
    windDirection: 'N',
    icon:
      shown.sky &&
      `https://api.weather.gov/icons/land/${isDaytime ? 'day' : 'night'}/${shown.sky.nws[0]},40?size=medium`,
    shortForecast: shown.sky?.nws[1] ?? '',
  });
  return shownDays(here, 7).flatMap(({ date, ...day }) => {
    const next = shownDay(here, tomorrow(date));
    const probabilities = [day.probability, next.probability];
    const night = {
      ...day,
      probability: probabilities.some((each) => each == null || each > 105)
        ? null
        : Math.min(...(probabilities as number[])),
      sky: [day.sky, next.sky].sort((a, b) => (a?.wmo ?? -1) - (b?.wmo ?? -1))[0] ?? null,
    };
    return [half(date, true, day, day.max), half(date, false, night, next.min)];
  });
}

const POINTS_OF_COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The hourly periods, from the current hour on. */
function hours(here: Shown) {
  const first = Math.floor(here.now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 156 }, (_, index) => {
    const at = first + index * HOUR_MS;
    const { temperature, humidity, dewPoint, probability, sky, wind, direction } = shownHour(
      here,
      at,
    );
    return {
      number: index + 1,
      startTime: new Date(at - 8 * HOUR_MS).toISOString().replace('.000Z', '-08:00'),
      isDaytime: true,
      temperature: fahrenheit(temperature),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: percent(probability),
      dewpoint: { unitCode: 'wmoUnit:degC', value: dewPoint ?? null },
      relativeHumidity: percent(humidity),
      windSpeed: windText(map(wind, (ms) => Math.round(ms / 0.44704))),
      windDirection: POINTS_OF_COMPASS[(direction ?? 0) / 22.5] ?? '',
      icon: sky && `https://api.weather.gov/icons/land/day/${sky.nws[0]},40?size=small`,
      shortForecast: sky?.nws[1] ?? '',
    };
  });
}

export const WEATHER_GOV: Stub = {
  apis: {
    [PATHS.weatherGovPoint]: point,
    [PATHS.weatherGovForecast]: (here) => ({ properties: { periods: periods(here) } }),
    [PATHS.weatherGovHourly]: (here) => ({ properties: { periods: hours(here) } }),
  },
  routeOf,
  statusOf: ({ path, query }, { gridOffice }) =>
    path.startsWith('/gridpoints/') && query.get('office') !== gridOffice ? 404 : 200,
};
