import Joi from 'joi';
import { conditionOf } from '../../weather/conditions.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { toForecast } from '../daily-values.js';
import { readAtPresent } from '../present.js';
import { timeZoneOf } from '../time-zone.js';
import { degrees, instantOf, maybeNumber, maybeText, toWeather } from '../weather-values.js';
import { DAILY_QUERY, DAILY_RESPONSE, daysOfResponse } from './open-meteo-daily.js';
import { openMeteoCaller, type OpenMeteoService } from './open-meteo-service.js';
import type { Maybe } from '../../weather/types.js';

/** A response with current values. Each of them may be null. */
interface CurrentResponse {
  current: {
    /** In UTC, without an offset: `2026-11-21T01:15`. */
    time?: Maybe<string>;
    temperature_2m?: Maybe<number>;
    relative_humidity_2m?: Maybe<number>;
    weather_code?: Maybe<number>;
    wind_speed_10m?: Maybe<number>;
    is_day?: Maybe<number>;
  };
}

const CURRENT_QUERY = {
  current: 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m,is_day',
  wind_speed_unit: 'kmh',
  timezone: 'GMT',
};

const CURRENT_RESPONSE = Joi.object<CurrentResponse>({
  current: Joi.object({
    time: maybeText,
    temperature_2m: maybeNumber,
    relative_humidity_2m: maybeNumber,
    weather_code: maybeNumber,
    wind_speed_10m: maybeNumber,
    is_day: maybeNumber,
  }).required(),
});

/** Open-Meteo's forecast service (https://open-meteo.com/en/docs). Noncommercial use needs no key. */
export function createOpenMeteo(service: OpenMeteoService): WeatherProvider {
  const name = 'open-meteo';
  const call = openMeteoCaller(service, name, '/v1/forecast');
  return {
    name,
    async current(point, signal) {
      const query = { ...degrees(point), ...CURRENT_QUERY };
      const { body, presents } = await call({
        query,
        schema: CURRENT_RESPONSE,
        signal,
        small: true,
      });
      const { time, weather_code, is_day, ...current } = body.current;
      const raw = {
        at: instantOf(`${time}Z`),
        temperature: current.temperature_2m,
        humidity: current.relative_humidity_2m,
        windSpeed: current.wind_speed_10m,
        condition: weather_code == null ? undefined : conditionOf(weather_code),
        isDay: is_day === 0 || is_day === 1 ? is_day === 1 : undefined,
      };
      return readAtPresent(presents, (now) => toWeather(name, raw, now));
    },
    async daily(point, signal) {
      const query = { ...degrees(point), ...DAILY_QUERY };
      const { body, presents } = await call({ query, schema: DAILY_RESPONSE, signal, small: true });
      const timeZone = timeZoneOf(point, body.timezone);
      const raw = { point, timeZone, days: daysOfResponse(body) };
      return readAtPresent(presents, (now) => toForecast(name, raw, now));
    },
  };
}
