import Joi from 'joi';
import { explainOpenMeteo } from './refusals.js';
import type { UpstreamClient } from '../../upstream/client.js';
import { conditionOf } from '../../weather/conditions.js';
import type { WeatherProvider } from '../../weather/types.js';
import { degrees, finite, toWeather } from '../weather-values.js';

export interface OpenMeteoOptions {
  client: UpstreamClient;
  /** Without a path. A key is for the customers' host: the free one answers it with a redirect. */
  baseUrl: string;
  apiKey?: string | undefined;
}

interface Forecast {
  current: {
    temperature_2m: number;
    relative_humidity_2m: number;
    weather_code: number;
    wind_speed_10m: number;
  };
}

const VARIABLES = 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m';

const FORECAST = Joi.object<Forecast>({
  current: Joi.object({
    temperature_2m: finite,
    relative_humidity_2m: finite,
    weather_code: finite,
    wind_speed_10m: finite,
  }).required(),
});

/** Open-Meteo's forecast service (https://open-meteo.com/en/docs): no key needed for free use. */
export function createOpenMeteo({ client, baseUrl, apiKey }: OpenMeteoOptions): WeatherProvider {
  const name = 'open-meteo';
  return {
    name,
    async current(point, signal) {
      const url = new URL('/v1/forecast', baseUrl);
      url.search = new URLSearchParams({
        ...degrees(point),
        current: VARIABLES,
        wind_speed_unit: 'kmh',
        timezone: 'GMT',
        ...(apiKey === undefined ? {} : { apikey: apiKey }),
      }).toString();
      const { body } = await client.getJson({
        upstream: name,
        url,
        schema: FORECAST,
        signal,
        explain: explainOpenMeteo,
      });
      const { current } = body;
      return toWeather(name, {
        temperature: current.temperature_2m,
        humidity: current.relative_humidity_2m,
        windSpeed: current.wind_speed_10m,
        condition: conditionOf(current.weather_code),
      });
    },
  };
}
