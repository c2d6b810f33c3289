import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import { conditionOfSymbol, isDaySymbol } from './met-norway-symbols.js';
import { atMost } from '../../upstream/schema.js';
import { HOUR_MS } from '../../weather/durations.js';
import type { Point, Weather } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { timeZoneAt } from '../time-zone.js';
import {
  kmhFromMs,
  probability,
  toWeather,
  type Maybe,
  type RawWeather,
} from '../weather-values.js';

/** The values for the hours after a step. `details` has these members only in the complete format. */
interface Period {
  summary?: { symbol_code?: Maybe<string> };
  details?: {
    air_temperature_min?: Maybe<number>;
    air_temperature_max?: Maybe<number>;
    probability_of_precipitation?: Maybe<number>;
  };
}

interface Step {
  time: string;
  data: {
    instant: {
      details: {
        air_temperature?: Maybe<number>;
        relative_humidity?: Maybe<number>;
        wind_speed?: Maybe<number>;
      };
    };
    next_1_hours?: Period;
    next_6_hours?: Period;
    next_12_hours?: Period;
  };
}

export interface Series {
  properties: { timeseries: Step[] };
}

/** Maximum milliseconds between now and the step that describes the present. The first steps are an hour apart. */
const MAX_DISTANCE_MS = 1.5 * HOUR_MS;
/** A series of ten days has about ninety steps: one per hour at first, then one per six hours. */
const MAX_STEPS = 500;

const number = Joi.number().allow(null);
const period = Joi.object({
  summary: Joi.object({ symbol_code: Joi.string().allow(null) }),
  details: Joi.object({
    air_temperature_min: number,
    air_temperature_max: number,
    probability_of_precipitation: probability,
  }),
});

/** The last steps of a series lack values. Only the steps that are used must be complete. */
export const SERIES = Joi.object<Series>({
  properties: Joi.object({
    timeseries: atMost(
      MAX_STEPS,
      Joi.array().items(
        Joi.object({
          time: Joi.string().isoDate().required(),
          data: Joi.object({
            instant: Joi.object({
              details: Joi.object({
                air_temperature: number,
                relative_humidity: number,
                wind_speed: number,
              }).required(),
            }).required(),
            next_1_hours: period,
            next_6_hours: period,
            next_12_hours: period,
          }).required(),
        }),
      ),
    ).required(),
  }).required(),
});

/**
 * The weather at an instant: that of the last step that has begun, or of the first one.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if no step is near enough, or the step lacks a value
 */
export function weatherAt(upstream: string, series: Series, now: number): Weather {
  const steps = series.properties.timeseries;
  const hasBegun = ({ time }: Step) => Date.parse(time) <= now;
  const step = steps.findLast(hasBegun) ?? steps[0];
  if (!step || Math.abs(now - Date.parse(step.time)) > MAX_DISTANCE_MS) {
    throw new UpstreamError(upstream, 'bad_answer', 'no forecast for this hour');
  }
  const raw = valuesOf(step);
  if (raw) return toWeather(upstream, raw);
  throw new UpstreamError(upstream, 'bad_answer', 'the forecast for this hour lacks a value');
}

/**
 * The daily forecast of a series in the complete format, from the step for an instant on. The service does not report the
 * time zone, sunrise, and sunset.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if the series has no complete day
 */
export function forecastFrom(upstream: string, series: Series, point: Point, now: number) {
  const timeZone = timeZoneAt(point);
  const steps = series.properties.timeseries.map(toForecastStep);
  const left = steps.filter(({ at, lengthMs }) => at + lengthMs > now);
  return toForecast(upstream, timeZone, daysOfSteps(left, point, timeZone));
}

/** The extremes of a period of six hours matter where the next step is as far away. Periods of one hour have none. */
function toForecastStep(step: Step): ForecastStep {
  const shortest = shortestPeriod(step);
  const details = shortest?.period.details;
  return {
    at: Date.parse(step.time),
    lengthMs: (shortest?.hours ?? 0) * HOUR_MS,
    temperature: step.data.instant.details.air_temperature ?? undefined,
    extremes: [
      details?.air_temperature_min ?? undefined,
      details?.air_temperature_max ?? undefined,
    ],
    condition: shortest && conditionOfSymbol(shortest.symbol),
    precipitationProbability: details?.probability_of_precipitation ?? undefined,
  };
}

/** The shortest period after a step that has a symbol; undefined if none has one. */
function shortestPeriod({ data }: Step) {
  const periods = [
    { period: data.next_1_hours, hours: 1 },
    { period: data.next_6_hours, hours: 6 },
    { period: data.next_12_hours, hours: 12 },
  ];
  for (const { period, hours } of periods) {
    const symbol = period?.summary?.symbol_code;
    if (period && symbol) return { period, symbol, hours };
  }
  return undefined;
}

/** The values in the units of `Weather`; undefined if one of the four is missing. */
function valuesOf(step: Step): RawWeather | undefined {
  const { air_temperature, relative_humidity, wind_speed } = step.data.instant.details;
  const symbol = shortestPeriod(step)?.symbol;
  if (air_temperature == null || relative_humidity == null || wind_speed == null || !symbol) {
    return undefined;
  }
  return {
    temperature: air_temperature,
    humidity: relative_humidity,
    windSpeed: kmhFromMs(wind_speed),
    condition: conditionOfSymbol(symbol),
    isDay: isDaySymbol(symbol),
  };
}
