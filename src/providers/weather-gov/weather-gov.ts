import type { Explain } from '../../upstream/failures.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import type { Point } from '../../weather/types.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../weather/kinds/daily-forecast.js';
import { FETCHED_HOURS, HOURLY_FORECAST } from '../../weather/kinds/hourly-forecast.js';
import { readCurrent, readSeries } from '../kind-values.js';
import type { ProviderOptions } from '../provider-options.js';
import { daysOfPeriods, hoursOfPeriods, PERIODS } from './weather-gov-periods.js';
import { createGridCells, type Get } from './weather-gov-grid-cells.js';
import { NAME } from './weather-gov-quantities.js';

/**
 * No grid cell is outside of these boxes: the States, the islands in the far west of Alaska, and
 * the territories.
 */
const COVERED = [
  { south: 17, north: 72, west: -180, east: -64 },
  { south: 51, north: 54, west: 172, east: 180 },
  { south: 13, north: 21, west: 144, east: 146.5 },
  { south: -15, north: -10.5, west: -172, east: -168 },
];

const explainPoint: Explain = ({ status, body }) =>
  status === 404 && body.includes('/problems/InvalidPoint')
    ? { kind: 'not_covered', message: 'no office knows the point' }
    : undefined;

/** Explains a 404 about a grid cell: the grid has changed. Other points work. */
const explainPart: Explain = ({ status }) =>
  status === 404 ? { kind: 'no_data', message: 'no such grid cell' } : undefined;

/**
 * Forecasts of the US National Weather Service
 * (https://www.weather.gov/documentation/services-web-api,
 * https://weather-gov.github.io/api/gridpoints). It needs no key, and requires a User-Agent that
 * identifies the caller. It covers the United States and its territories.
 *
 * A point has a grid cell, and the cell has a forecast of seven days in periods of twelve hours,
 * and an hourly one. The current weather is the current hour of the hourly forecast. Each takes two
 * calls for a new point, then one.
 */
export function createWeatherGov({ client, config, clock }: ProviderOptions): WeatherProvider {
  const get: Get = (path, schema, signal) => {
    const url = new URL(path, config.urls[NAME]);
    const explain = path.startsWith('/points/') ? explainPoint : explainPart;
    return client.getJson({ upstream: NAME, url, schema, signal, explain });
  };
  const inCell = createGridCells(get, clock);

  /** Gets a forecast of the grid cell of a point. */
  const getPeriods = (path: '/forecast' | '/forecast/hourly', point: Point, signal: AbortSignal) =>
    inCell(point, signal, (cell) => get(`${cell}${path}`, PERIODS, signal));

  return {
    name: NAME,
    covers: ({ latitude, longitude }) =>
      COVERED.some(
        ({ south, north, west, east }) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
    async current(point, signal) {
      const response = await getPeriods('/forecast/hourly', point, signal);
      return readCurrent(NAME, CURRENT_WEATHER, response, (body, now) =>
        hoursOfPeriods(body, now - HOUR_MS + 1, now + HOUR_MS).at(0),
      );
    },
    async daily(point, signal) {
      const response = await getPeriods('/forecast', point, signal);
      return readSeries(NAME, DAILY_FORECAST, point, response, daysOfPeriods);
    },
    async hourly(point, signal) {
      const response = await getPeriods('/forecast/hourly', point, signal);
      return readSeries(NAME, HOURLY_FORECAST, point, response, (body, now) =>
        hoursOfPeriods(body, now - HOUR_MS, now + FETCHED_HOURS * HOUR_MS),
      );
    },
  };
}
