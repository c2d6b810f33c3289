import { UpstreamError } from '../../errors.js';
import type { Explain } from '../../upstream/failures.js';
import type { UpstreamClient } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import type { Clock } from '../../weather/types.js';
import { toForecast } from '../daily-values.js';
import { timeZoneAt } from '../time-zone.js';
import { OBSERVATION, weatherOf } from './weather-gov-observation.js';
import { daysOfPeriods, PERIODS } from './weather-gov-periods.js';
import { createPoints, type Get } from './weather-gov-points.js';

export interface WeatherGovOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  clock: Clock;
}

/** No station is outside of these boxes: the States, the islands in the far west of Alaska, and the territories. */
const COVERED = [
  { south: 17, north: 72, west: -180, east: -64 },
  { south: 51, north: 54, west: 172, east: 180 },
  { south: 13, north: 21, west: 144, east: 146.5 },
  { south: -15, north: -10.5, west: -172, east: -168 },
];

const explain: Explain = ({ status, body }) =>
  status === 404 && body.includes('/problems/InvalidPoint')
    ? { kind: 'not_covered', message: 'no station knows the point' }
    : undefined;

/**
 * Observations and forecasts of the US National Weather Service
 * (https://www.weather.gov/documentation/services-web-api, https://weather-gov.github.io/api/gridpoints). It needs no key,
 * and requires a User-Agent that identifies the caller. It covers the United States and their territories.
 *
 * A point has a grid cell, and the cell has stations and a forecast of seven days in periods of twelve hours. The current
 * weather is the last observation of a station: three calls for a new point, then one. A forecast takes two calls, then one.
 */
export function createWeatherGov({ client, baseUrl, clock }: WeatherGovOptions): WeatherProvider {
  const name = 'weather-gov';
  const get: Get = async (path, schema, signal) => {
    const url = new URL(path, baseUrl);
    return (await client.getJson({ upstream: name, url, schema, signal, explain })).body;
  };
  const points = createPoints(get);

  return {
    name,
    covers: ({ latitude, longitude }) =>
      COVERED.some(
        ({ south, north, west, east }) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
    async current(point, signal) {
      let failure = new UpstreamError(name, 'not_covered', 'no station is near the point');
      for (const station of await points.stationsNear(point, signal)) {
        try {
          const path = `/stations/${station}/observations/latest`;
          const observation = await get(path, OBSERVATION, signal);
          return { value: weatherOf(name, observation, clock.now()) };
        } catch (error) {
          // A 404 of a station means that it has not sent anything for a long time.
          if (!(error instanceof UpstreamError) || error.kind !== 'bad_answer') throw error;
          failure = error;
        }
      }
      throw failure;
    },
    async daily(point, signal) {
      const cell = await points.cellOf(point, signal);
      const response = await get(`${cell.path}/forecast`, PERIODS, signal);
      const timeZone = cell.timeZone ?? timeZoneAt(point);
      const days = daysOfPeriods(response, point, timeZone);
      return { value: toForecast(name, timeZone, days) };
    },
  };
}
