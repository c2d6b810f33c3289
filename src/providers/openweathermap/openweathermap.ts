import type { ObjectSchema } from 'joi';
import { atMost, maybe, objectOf, type Validated } from '../../upstream/schema.js';
import type { Explain } from '../../upstream/failures.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { europeanIndex } from '../../weather/european-aqi.js';
import { AIR_QUALITY } from '../../weather/kinds/air-quality.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../weather/kinds/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../../weather/time/durations.js';
import type { Point } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { readCurrent, readSeries, type RawTime } from '../kind-values.js';
import type { ProviderOptions } from '../provider-options.js';
import { stepsBetween } from '../steps.js';
import {
  degrees,
  dewPointOf,
  instantOfSeconds,
  maybeNumber,
  renameValues,
  sameSchema,
} from '../weather-values.js';
import { cod, item, valuesOf } from './openweathermap-values.js';

const CURRENT = objectOf({
  cod,
  ...item,
  clouds: maybe(objectOf({ all: maybeNumber })),
  // Meters, at most 10,000.
  visibility: maybeNumber,
});

const STEP_MS = 3 * HOUR_MS;
const MAX_STEPS = 100;

/** One item per three hours. `pop`: precipitation probability, 0 to 1, in the amount's period. */
const FORECAST = objectOf({
  cod,
  list: atMost(MAX_STEPS, objectOf({ ...item, pop: maybeNumber })).required(),
});

/** Components by contract name, in µg/m³ (https://openweathermap.org/api/air-pollution). */
const COMPONENTS = {
  pm2_5: 'pm2_5',
  pm10: 'pm10',
  ozone: 'o3',
  nitrogen_dioxide: 'no2',
  sulphur_dioxide: 'so2',
  carbon_monoxide: 'co',
} as const;

const AIR = objectOf({
  list: atMost(
    MAX_STEPS,
    objectOf({
      dt: maybeNumber,
      components: objectOf(sameSchema(Object.values(COMPONENTS), maybeNumber)).required(),
    }),
  ).required(),
});

/** Milliseconds from now in which steps are used. The service has steps for five days. */
const USED_MS = 8 * DAY_MS;

const AIR_PATH = '/data/2.5/air_pollution';
const WEATHER_OPTIONS = { units: 'metric', lang: 'en' };

const explain: Explain = ({ status }) => {
  if (status === 401) return { kind: 'unavailable', message: 'the key is not valid' };
  if (status === 404) return { kind: 'not_covered', message: 'no data for the point' };
  return undefined;
};

/**
 * OpenWeatherMap's current weather (https://openweathermap.org/current) and its forecast of five
 * days in steps of three hours (https://openweathermap.org/forecast5), whose `temp_min` and
 * `temp_max` are not used: they are extremes of an area, not of a time. It has no hourly ability:
 * no hour between two steps is invented. Its own air index, 1 to 5, is neither the European one nor
 * the EPA's, so the European one is computed from the concentrations.
 */
export function createOpenWeatherMap({ client, config }: ProviderOptions): WeatherProvider {
  const name = 'openweathermap';
  const appid = config.apiKeys[name] ?? '';

  function get<T>(
    path: string,
    schema: ObjectSchema<T>,
    point: Point,
    signal: AbortSignal,
    uncompressed: boolean,
  ): Promise<JsonResponse<T>> {
    const url = new URL(path, config.urls[name]);
    const { latitude: lat, longitude: lon } = degrees(point);
    const query = { lat, lon, appid, ...(path === AIR_PATH ? {} : WEATHER_OPTIONS) };
    url.search = new URLSearchParams(query).toString();
    return client.getJson({ upstream: name, url, schema, uncompressed, signal, explain });
  }

  return {
    name,
    async current(point, signal) {
      const response = await get('/data/2.5/weather', CURRENT, point, signal, true);
      return readCurrent(name, CURRENT_WEATHER, response, currentOf);
    },
    async daily(point, signal) {
      const response = await get('/data/2.5/forecast', FORECAST, point, signal, false);
      return readSeries(name, DAILY_FORECAST, point, response, (body, now) =>
        daysOfSteps(stepsBetween(stepsOf(body), now, now + USED_MS), point.timeZone),
      );
    },
    async air(point, signal) {
      return readCurrent(name, AIR_QUALITY, await get(AIR_PATH, AIR, point, signal, true), airOf);
    },
  };
}

function airOf({ list: [item] }: Validated<typeof AIR>): RawTime | undefined {
  if (!item) return undefined;
  const values = renameValues(COMPONENTS, (name) => item.components[name]);
  return { ...values, time: instantOfSeconds(item.dt), european_aqi: europeanIndex(values) };
}

function currentOf(body: Validated<typeof CURRENT>) {
  const values = valuesOf(body, '1h');
  const others = { cloud_cover: body.clouds?.all, visibility: body.visibility };
  return { ...values, ...others, dew_point: dewPointOf(values) };
}

/**
 * The steps of a forecast. The documented period of the amount is the three hours before `dt`.
 * Probability and condition count for the same hours, because they belong together.
 */
function stepsOf({ list }: Validated<typeof FORECAST>): ForecastStep[] {
  return list.map((item) => {
    const values = valuesOf(item, '3h');
    const { time } = values;
    const precipitation_probability = item.pop == null ? undefined : item.pop * 100;
    const period = { from: time - STEP_MS, to: time, countsUntil: time + STEP_MS };
    return { ...values, ...period, precipitation_probability };
  });
}
