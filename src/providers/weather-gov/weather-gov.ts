import type { Explain } from '../../upstream/failures.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import type { Point, UpstreamValue } from '../../weather/types.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../weather/kinds/daily-forecast.js';
import { FETCHED_HOURS, HOURLY_FORECAST } from '../../weather/kinds/hourly-forecast.js';
import { toCurrent, toSeries } from '../kind-values.js';
import { hasNoData, readAtReferenceTime } from '../reference-time.js';
import type { ProviderOptions } from '../provider-options.js';
import { OBSERVATION, weatherOf } from './weather-gov-observation.js';
import {
  daysOfPeriods,
  hoursOfPeriods,
  PERIODS,
  type PeriodsResponse,
} from './weather-gov-periods.js';
import { createPoints, type Get } from './weather-gov-points.js';
import { NAME } from './weather-gov-quantities.js';

/** No station is outside of these boxes: the States, the islands in the far west of Alaska, and the territories. */
const COVERED = [
  { south: 17, north: 72, west: -180, east: -64 },
  { south: 51, north: 54, west: 172, east: 180 },
  { south: 13, north: 21, west: 144, east: 146.5 },
  { south: -15, north: -10.5, west: -172, east: -168 },
];

const explainPoint: Explain = ({ status, body }) =>
  status === 404 && body.includes('/problems/InvalidPoint')
    ? { kind: 'not_covered', message: 'no station knows the point' }
    : undefined;

/** Explains a 404 about a grid cell or a station: the grid has changed, or the station is silent. Other points work. */
const explainPart: Explain = ({ status }) =>
  status === 404 ? { kind: 'no_data', message: 'no such grid cell, or no observation' } : undefined;

/**
 * Observations and forecasts of the US National Weather Service
 * (https://www.weather.gov/documentation/services-web-api, https://weather-gov.github.io/api/gridpoints). It needs no key,
 * and requires a User-Agent that identifies the caller. It covers the United States and their territories.
 *
 * A point has a grid cell, and the cell has stations and a forecast of seven days in periods of twelve hours. The current
 * weather is the last observation of a station: three calls for a new point, then one. If the stations have none, it is the
 * current hour of the hourly forecast. A forecast, daily or hourly, takes two calls, then one.
 */
export function createWeatherGov({ client, config, clock }: ProviderOptions): WeatherProvider {
  const get: Get = (path, schema, signal) => {
    const url = new URL(path, config.urls[NAME]);
    const explain = path.startsWith('/points/') ? explainPoint : explainPart;
    return client.getJson({ upstream: NAME, url, schema, signal, explain });
  };
  const points = createPoints(get, clock);

  /** Reads a value from a forecast of the grid cell of a point. */
  const fromForecast = <Value>(
    path: '/forecast' | '/forecast/hourly',
    point: Point,
    signal: AbortSignal,
    read: (body: PeriodsResponse, now: number) => Value,
  ): Promise<UpstreamValue<Value>> =>
    points.inCell(point, signal, async (cell) =>
      readAtReferenceTime(await get(`${cell.path}${path}`, PERIODS, signal), read),
    );

  return {
    name: NAME,
    covers: ({ latitude, longitude }) =>
      COVERED.some(
        ({ south, north, west, east }) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
    async current(point, signal) {
      for (const station of await points.stationsNear(point, signal)) {
        try {
          const response = await get(
            `/stations/${station}/observations/latest`,
            OBSERVATION,
            signal,
          );
          return readAtReferenceTime(response, (body, now) =>
            toCurrent(NAME, CURRENT_WEATHER, weatherOf(body), now),
          );
        } catch (error) {
          // Another station may have an observation.
          if (!hasNoData(error)) throw error;
        }
      }
      return fromForecast('/forecast/hourly', point, signal, (body, now) => {
        const [hour] = hoursOfPeriods(body, now - HOUR_MS + 1, now + HOUR_MS);
        return toCurrent(NAME, CURRENT_WEATHER, hour, now);
      });
    },
    daily: (point, signal) =>
      fromForecast('/forecast', point, signal, (body, now) =>
        toSeries(NAME, DAILY_FORECAST, point, daysOfPeriods(body), now),
      ),
    hourly: (point, signal) =>
      fromForecast('/forecast/hourly', point, signal, (body, now) => {
        const hours = hoursOfPeriods(body, now - HOUR_MS, now + FETCHED_HOURS * HOUR_MS);
        return toSeries(NAME, HOURLY_FORECAST, point, hours, now);
      }),
  };
}
