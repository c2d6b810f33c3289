import Joi from 'joi';
import type { Explain } from '../../upstream/failures.js';
import type { UpstreamClient } from '../../upstream/upstream-client.js';
import { atMost } from '../../upstream/schema.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { HOUR_MS } from '../../weather/durations.js';
import type { Point } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { timeZoneAt } from '../time-zone.js';
import { degrees, finite, kmhFromMs, probability, toWeather } from '../weather-values.js';
import { conditionOfId } from './openweathermap-conditions.js';

export interface OpenWeatherMapOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  apiKey: string;
}

interface CurrentWeather {
  cod: number | string;
  weather: { id: number; icon?: string | null }[];
  main: { temp: number; humidity: number };
  wind: { speed: number };
}

/** One item for every three hours of the next five days. */
interface Forecast {
  cod: number | string;
  list: {
    /** Seconds since the Unix epoch. */
    dt: number;
    main: { temp: number };
    weather: { id: number }[];
    /** Probability of precipitation from 0 to 1. */
    pop?: number | null;
  }[];
}

/** Several conditions at once are possible. The first is the main one. */
const weather = atMost(
  20,
  Joi.array()
    .items(Joi.object({ id: finite, icon: Joi.string().allow('', null) }))
    .min(1),
).required();

const cod = Joi.valid(200, '200').required();

const CURRENT_WEATHER = Joi.object<CurrentWeather>({
  cod,
  weather,
  main: Joi.object({ temp: finite, humidity: finite }).required(),
  wind: Joi.object({ speed: finite }).required(),
});

const STEP_MS = 3 * HOUR_MS;
const MAX_STEPS = 100;

const FORECAST = Joi.object<Forecast>({
  cod,
  list: atMost(
    MAX_STEPS,
    Joi.array().items(
      Joi.object({
        dt: finite,
        main: Joi.object({ temp: finite }).required(),
        weather,
        pop: probability,
      }),
    ),
  ).required(),
});

const explain: Explain = ({ status }) =>
  status === 401 ? { kind: 'unavailable', message: 'the key is not valid' } : undefined;

/**
 * OpenWeatherMap's current weather (https://openweathermap.org/current) and its forecast of five days in steps of three
 * hours (https://openweathermap.org/forecast5). `temp_min` and `temp_max` of a step are not used: they are the extremes of
 * an area, not of a time.
 */
export function createOpenWeatherMap(options: OpenWeatherMapOptions): WeatherProvider {
  const { client, baseUrl, apiKey } = options;
  const name = 'openweathermap';

  async function get<T>(
    path: string,
    schema: Joi.ObjectSchema<T>,
    point: Point,
    signal: AbortSignal,
    small: boolean,
  ): Promise<T> {
    const url = new URL(path, baseUrl);
    const { latitude: lat, longitude: lon } = degrees(point);
    const query = { lat, lon, appid: apiKey, units: 'metric', lang: 'en' };
    url.search = new URLSearchParams(query).toString();
    return (await client.getJson({ upstream: name, url, schema, small, signal, explain })).body;
  }

  return {
    name,
    async current(point, signal) {
      const body = await get('/data/2.5/weather', CURRENT_WEATHER, point, signal, true);
      const value = toWeather(name, {
        temperature: body.main.temp,
        humidity: body.main.humidity,
        windSpeed: kmhFromMs(body.wind.speed),
        condition: conditionOfId(body.weather[0]?.id),
        isDay: isDayIcon(body.weather[0]?.icon),
      });
      return { value };
    },
    async daily(point, signal) {
      const { list } = await get('/data/2.5/forecast', FORECAST, point, signal, false);
      const timeZone = timeZoneAt(point);
      const days = daysOfSteps(list.map(toForecastStep), point, timeZone);
      return { value: toForecast(name, timeZone, days) };
    },
  };
}

function toForecastStep({ dt, main, weather, pop }: Forecast['list'][number]): ForecastStep {
  return {
    at: dt * 1000,
    lengthMs: STEP_MS,
    temperature: main.temp,
    condition: conditionOfId(weather[0]?.id),
    precipitationProbability: pop == null ? undefined : pop * 100,
  };
}

/** The names of icons end with `d` by day and with `n` by night. */
function isDayIcon(icon: string | null | undefined): boolean | undefined {
  const end = icon?.at(-1);
  return end === 'd' || end === 'n' ? end === 'd' : undefined;
}
