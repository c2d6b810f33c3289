import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { toForecast } from '../daily-values.js';
import { toHourlyForecast } from '../hourly-values.js';
import { readAtPresent } from '../present.js';
import { timeZoneAt, timeZoneOf } from '../time-zone.js';
import { degrees, toWeather } from '../weather-values.js';
import { CURRENT_RESPONSE, currentQuery, weatherOf } from './open-meteo-current.js';
import { DAILY_QUERY, DAILY_RESPONSE, daysOfResponse } from './open-meteo-daily.js';
import { HOURLY_QUERY, HOURLY_RESPONSE, hoursOfResponse } from './open-meteo-hourly.js';
import { openMeteoCaller, type OpenMeteoService } from './open-meteo-service.js';

export interface OpenMeteoOptions extends OpenMeteoService {
  /** Whether current weather has visibility and UV index. A call then counts as 1.2 calls of the provider's quota. */
  moreConditions?: boolean;
}

/**
 * Open-Meteo's forecast service (https://open-meteo.com/en/docs). Noncommercial use needs no key. Each ability is one call
 * of the provider's quota.
 */
export function createOpenMeteo(options: OpenMeteoOptions): WeatherProvider {
  const { moreConditions = false, ...service } = options;
  const name = 'open-meteo';
  const call = openMeteoCaller(service, name, '/v1/forecast');
  return {
    name,
    async current(point, signal) {
      const query = { ...degrees(point), ...currentQuery(moreConditions) };
      const schema = CURRENT_RESPONSE;
      const { body, presents } = await call({ query, schema, signal, small: true });
      const raw = weatherOf(body);
      return readAtPresent(presents, (now) => toWeather(name, raw, now));
    },
    async daily(point, signal) {
      const timezone = point.timeZone ?? 'auto';
      const query = { ...degrees(point), ...DAILY_QUERY, timezone };
      const { body, presents } = await call({ query, schema: DAILY_RESPONSE, signal, small: true });
      const timeZone = timeZoneOf(point, body.timezone);
      const raw = { point, timeZone, days: daysOfResponse(body) };
      return readAtPresent(presents, (now) => toForecast(name, raw, now));
    },
    async hourly(point, signal) {
      const query = { ...degrees(point), ...HOURLY_QUERY };
      const { body, presents } = await call({ query, schema: HOURLY_RESPONSE, signal });
      const hours = hoursOfResponse(body);
      return readAtPresent(presents, (now) =>
        toHourlyForecast(name, timeZoneAt(point), hours, now),
      );
    },
  };
}
