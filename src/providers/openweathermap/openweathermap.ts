import Joi from 'joi';
import type { Explain } from '../../upstream/failures.js';
import type { JsonResponse, UpstreamClient } from '../../upstream/upstream-client.js';
import { atMost } from '../../upstream/schema.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { DAY_MS, HOUR_MS } from '../../weather/durations.js';
import type { Maybe, Point } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { readAtPresent } from '../present.js';
import { stepsBetween } from '../steps.js';
import { timeZoneAt } from '../time-zone.js';
import { degrees, kmhFromMs, maybeNumber, maybeText, toWeather } from '../weather-values.js';
import { conditionOfId } from './openweathermap-conditions.js';

export interface OpenWeatherMapOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  apiKey: string;
}

interface CurrentWeather {
  cod: number | string;
  /** Seconds since the Unix epoch. */
  dt?: Maybe<number>;
  weather?: Maybe<Condition[]>;
  main: { temp?: Maybe<number>; humidity?: Maybe<number> };
  wind?: Maybe<{ speed?: Maybe<number> }>;
}

/** One item for every three hours of the next five days. */
interface Forecast {
  cod: number | string;
  list: {
    /** Seconds since the Unix epoch. */
    dt?: Maybe<number>;
    main: { temp?: Maybe<number> };
    weather?: Maybe<Condition[]>;
    /** Probability of precipitation from 0 to 1. */
    pop?: Maybe<number>;
  }[];
}

interface Condition {
  id?: Maybe<number>;
  icon?: Maybe<string>;
}

/** Several conditions at once are possible. The first is the main one. */
const weather = atMost(
  20,
  Joi.array().items(Joi.object({ id: maybeNumber, icon: maybeText })),
).allow(null);

const cod = Joi.valid(200, '200').required();

const CURRENT_WEATHER = Joi.object<CurrentWeather>({
  cod,
  dt: maybeNumber,
  weather,
  main: Joi.object({ temp: maybeNumber, humidity: maybeNumber }).required(),
  wind: Joi.object({ speed: maybeNumber }).allow(null),
});

const STEP_MS = 3 * HOUR_MS;
const MAX_STEPS = 100;
/** Milliseconds from now in which steps are used. The service has steps for five days. */
const USED_MS = 8 * DAY_MS;

const FORECAST = Joi.object<Forecast>({
  cod,
  list: atMost(
    MAX_STEPS,
    Joi.array().items(
      Joi.object({
        dt: maybeNumber,
        main: Joi.object({ temp: maybeNumber }).required(),
        weather,
        pop: maybeNumber,
      }),
    ),
  ).required(),
});

const explain: Explain = ({ status }) => {
  if (status === 401) return { kind: 'unavailable', message: 'the key is not valid' };
  if (status === 404) return { kind: 'not_covered', message: 'no data for the point' };
  return undefined;
};

/**
 * OpenWeatherMap's current weather (https://openweathermap.org/current) and its forecast of five days in steps of three
 * hours (https://openweathermap.org/forecast5). `temp_min` and `temp_max` of a step are not used: they are the extremes of
 * an area, not of a time.
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
      const raw = {
        at: instantOfSeconds(body.dt),
        temperature: body.main.temp,
        humidity: body.main.humidity,
        windSpeed: kmhFromMs(body.wind?.speed),
        condition: conditionOf(body.weather),
        isDay: isDayIcon(body.weather?.[0]?.icon),
      };
      return readAtPresent(presents, (now) => toWeather(name, raw, now));
    },
    async daily(point, signal) {
      const path = '/data/2.5/forecast';
      const { body, presents } = await get(path, FORECAST, point, signal, false);
      const timeZone = timeZoneAt(point);
      const all = body.list.map(toForecastStep);
      return readAtPresent(presents, (now) => {
        const steps = stepsBetween(all, now - STEP_MS, now + USED_MS);
        return toForecast(name, { point, timeZone, days: daysOfSteps(steps, timeZone) }, now);
      });
    },
  };
}

function toForecastStep({ dt, main, weather, pop }: Forecast['list'][number]): ForecastStep {
  return {
    at: instantOfSeconds(dt),
    lengthMs: STEP_MS,
    temperature: main.temp,
    condition: conditionOf(weather),
    precipitationProbability: pop == null ? undefined : pop * 100,
  };
}

/** Milliseconds since the Unix epoch; NaN if the time is missing. */
function instantOfSeconds(seconds: Maybe<number>): number {
  return seconds == null ? NaN : seconds * 1000;
}

function conditionOf(weather: Maybe<Condition[]>): string | undefined {
  const id = weather?.[0]?.id;
  return id == null ? undefined : conditionOfId(id);
}

/** The names of icons end with `d` by day and with `n` by night. */
function isDayIcon(icon: Maybe<string>): boolean | undefined {
  const end = icon?.at(-1);
  return end === 'd' || end === 'n' ? end === 'd' : undefined;
}
