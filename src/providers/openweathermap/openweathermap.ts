import Joi from 'joi';
import type { Explain } from '../../upstream/failures.js';
import type { JsonResponse, UpstreamClient } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { DAY_MS } from '../../weather/durations.js';
import type { Maybe, Point } from '../../weather/types.js';
import { daysOfSteps } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { readAtPresent } from '../present.js';
import { stepsBetween } from '../steps.js';
import { timeZoneAt } from '../time-zone.js';
import {
  degrees,
  dewPointOf,
  instantOfSeconds,
  kmhFromMs,
  maybeNumber,
  toWeather,
} from '../weather-values.js';
import { FORECAST, STEP_MS, stepsOf } from './openweathermap-forecast.js';
import {
  cod,
  conditionOf,
  precipitation,
  precipitationOf,
  weather,
  wind,
  type Condition,
  type Precipitation,
  type Wind,
} from './openweathermap-values.js';

export interface OpenWeatherMapOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  apiKey: string;
}

interface CurrentWeather extends Precipitation {
  cod: number | string;
  /** Seconds since the Unix epoch. */
  dt?: Maybe<number>;
  weather?: Maybe<Condition[]>;
  /** `pressure` is at sea level. */
  main: Partial<Record<'temp' | 'feels_like' | 'humidity' | 'pressure', Maybe<number>>>;
  wind?: Maybe<Wind>;
  clouds?: Maybe<{ all?: Maybe<number> }>;
  /** Meters, at most 10,000. */
  visibility?: Maybe<number>;
}

const CURRENT_WEATHER = Joi.object<CurrentWeather>({
  cod,
  dt: maybeNumber,
  weather,
  main: Joi.object({
    temp: maybeNumber,
    feels_like: maybeNumber,
    humidity: maybeNumber,
    pressure: maybeNumber,
  }).required(),
  wind,
  clouds: Joi.object({ all: maybeNumber }).allow(null),
  visibility: maybeNumber,
  ...precipitation,
});

/** Milliseconds from now in which steps are used. The service has steps for five days. */
const USED_MS = 8 * DAY_MS;

const explain: Explain = ({ status }) => {
  if (status === 401) return { kind: 'unavailable', message: 'the key is not valid' };
  if (status === 404) return { kind: 'not_covered', message: 'no data for the point' };
  return undefined;
};

/**
 * OpenWeatherMap's current weather (https://openweathermap.org/current) and its forecast of five days in steps of three
 * hours (https://openweathermap.org/forecast5). `temp_min` and `temp_max` of a step are not used: they are the extremes of
 * an area, not of a time. It has no hourly ability: no hour between two steps is invented.
 */
export function createOpenWeatherMap(options: OpenWeatherMapOptions): WeatherProvider {
  const { client, baseUrl, apiKey } = options;
  const name = 'openweathermap';

  function get<T>(
    path: string,
    schema: Joi.ObjectSchema<T>,
    point: Point,
    signal: AbortSignal,
    small: boolean,
  ): Promise<JsonResponse<T>> {
    const url = new URL(path, baseUrl);
    const { latitude: lat, longitude: lon } = degrees(point);
    const query = { lat, lon, appid: apiKey, units: 'metric', lang: 'en' };
    url.search = new URLSearchParams(query).toString();
    return client.getJson({ upstream: name, url, schema, small, signal, explain });
  }

  return {
    name,
    async current(point, signal) {
      const path = '/data/2.5/weather';
      const { body, presents } = await get(path, CURRENT_WEATHER, point, signal, true);
      const { main } = body;
      const raw = {
        at: instantOfSeconds(body.dt),
        temperature: main.temp,
        humidity: main.humidity,
        windSpeed: kmhFromMs(body.wind?.speed),
        condition: conditionOf(body.weather),
        feelsLike: main.feels_like,
        dewPoint: dewPointOf(main.temp, main.humidity),
        pressure: main.pressure,
        cloudCover: body.clouds?.all,
        precipitation: precipitationOf(body, '1h'),
        windDirection: body.wind?.deg,
        windGusts: kmhFromMs(body.wind?.gust),
        visibility: body.visibility,
      };
      return readAtPresent(presents, (now) => toWeather(name, raw, now));
    },
    async daily(point, signal) {
      const path = '/data/2.5/forecast';
      const { body, presents } = await get(path, FORECAST, point, signal, false);
      const timeZone = timeZoneAt(point);
      const all = stepsOf(body);
      return readAtPresent(presents, (now) => {
        const steps = stepsBetween(all, now - STEP_MS, now + USED_MS);
        return toForecast(name, { point, timeZone, days: daysOfSteps(steps, timeZone) }, now);
      });
    },
  };
}
