import Joi from 'joi';
import { conditionOf } from '../../weather/conditions.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { degrees, finite, toWeather } from '../weather-values.js';
import { openMeteoCaller, type OpenMeteoService } from './service.js';

interface Forecast {
  current: {
    temperature_2m: number;
    relative_humidity_2m: number;
    weather_code: number;
    wind_speed_10m: number;
    is_day?: number | null;
  };
}

const VARIABLES = 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m,is_day';

const FORECAST = Joi.object<Forecast>({
  current: Joi.object({
    temperature_2m: finite,
    relative_humidity_2m: finite,
    weather_code: finite,
    wind_speed_10m: finite,
    is_day: Joi.valid(0, 1, null),
  }).required(),
});

/** Open-Meteo's forecast service (https://open-meteo.com/en/docs). Free use needs no key. */
export function createOpenMeteo(service: OpenMeteoService): WeatherProvider {
  const name = 'open-meteo';
  const call = openMeteoCaller(service, name, '/v1/forecast');
  return {
    name,
    async current(point, signal) {
      const query = {
        ...degrees(point),
        current: VARIABLES,
        wind_speed_unit: 'kmh',
        timezone: 'GMT',
      };
      const { current } = await call({ query, schema: FORECAST, signal, small: true });
      const value = toWeather(name, {
        temperature: current.temperature_2m,
        humidity: current.relative_humidity_2m,
        windSpeed: current.wind_speed_10m,
        condition: conditionOf(current.weather_code),
        isDay: current.is_day == null ? undefined : current.is_day === 1,
      });
      return { value };
    },
  };
}
