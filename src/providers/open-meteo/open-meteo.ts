import Joi from 'joi';
import { conditionOf } from '../../weather/conditions.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { toForecast } from '../daily-values.js';
import { degrees, finite, toWeather } from '../weather-values.js';
import { DAILY_QUERY, DAILY_RESPONSE, daysOfResponse } from './open-meteo-daily.js';
import { openMeteoCaller, type OpenMeteoService } from './open-meteo-service.js';

/** A response with current values. */
interface CurrentResponse {
  current: {
    temperature_2m: number;
    relative_humidity_2m: number;
    weather_code: number;
    wind_speed_10m: number;
    is_day?: number | null;
  };
}

const CURRENT_QUERY = {
  current: 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m,is_day',
  wind_speed_unit: 'kmh',
  timezone: 'GMT',
};

const CURRENT_RESPONSE = Joi.object<CurrentResponse>({
  current: Joi.object({
    temperature_2m: finite,
    relative_humidity_2m: finite,
    weather_code: finite,
    wind_speed_10m: finite,
    is_day: Joi.valid(0, 1, null),
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
      const { current } = await call({ query, schema: CURRENT_RESPONSE, signal, small: true });
      const value = toWeather(name, {
        temperature: current.temperature_2m,
        humidity: current.relative_humidity_2m,
        windSpeed: current.wind_speed_10m,
        condition: conditionOf(current.weather_code),
        isDay: current.is_day == null ? undefined : current.is_day === 1,
      });
      return { value };
    },
    async daily(point, signal) {
      const query = { ...degrees(point), ...DAILY_QUERY };
      const response = await call({ query, schema: DAILY_RESPONSE, signal, small: true });
      return { value: toForecast(name, response.timezone, daysOfResponse(response)) };
    },
  };
}
