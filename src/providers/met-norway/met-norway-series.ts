import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { conditionOfSymbol, isDaySymbol } from './met-norway-symbols.js';
import { atMost, checked } from '../../upstream/schema.js';
import type { DailyForecast } from '../../weather/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../../weather/durations.js';
import type { Maybe, Point, Weather } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import { toForecast } from '../daily-values.js';
import { presentRange } from '../present.js';
import { stepsBetween } from '../steps.js';
import { timeZoneAt } from '../time-zone.js';
import { instantOf, kmhFromMs, maybeNumber, maybeText, toWeather } from '../weather-values.js';

/** The values for the hours after a step. `details` has these members only in the complete format. */
interface Period {
  summary?: Maybe<{ symbol_code?: Maybe<string> }>;
  details?: Maybe<{
    air_temperature_min?: Maybe<number>;
    air_temperature_max?: Maybe<number>;
    probability_of_precipitation?: Maybe<number>;
  }>;
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
    next_1_hours?: Maybe<Period>;
    next_6_hours?: Maybe<Period>;
    next_12_hours?: Maybe<Period>;
  };
}

export interface Series {
  /** Not validated: only the steps that are used are. */
  properties: { timeseries: unknown[] };
}

/** A series of ten days has about ninety steps: one per hour at first, then one per six hours. */
const MAX_STEPS = 500;
/** Milliseconds from now in which the steps of a daily forecast are used: seven dates, and the rest of today. */
const USED_MS = 8 * DAY_MS;
/** Maximum number of hours in a period. */
const LONGEST_PERIOD_HOURS = 12;

export const SERIES = Joi.object<Series>({
  properties: Joi.object({ timeseries: atMost(MAX_STEPS, Joi.array()).required() }).required(),
});

const period = Joi.object({
  summary: Joi.object({ symbol_code: maybeText }).allow(null),
  details: Joi.object({
    air_temperature_min: maybeNumber,
    air_temperature_max: maybeNumber,
    probability_of_precipitation: maybeNumber,
  }).allow(null),
}).allow(null);

const STEP = Joi.object<Step>({
  time: Joi.string().required(),
  data: Joi.object({
    instant: Joi.object({
      details: Joi.object({
        air_temperature: maybeNumber,
        relative_humidity: maybeNumber,
        wind_speed: maybeNumber,
      }).required(),
    }).required(),
    next_1_hours: period,
    next_6_hours: period,
    next_12_hours: period,
  }).required(),
});

/**
 * The weather at an instant: that of the last step that has begun, or of the first one.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no step is near enough, or the step lacks a value
 */
export function weatherAt(upstream: string, series: Series, now: number): Weather {
  const steps = stepsBetween(timesOf(upstream, series), ...presentRange(now));
  const nearest = steps.findLast(({ at }) => at <= now) ?? steps[0];
  if (!nearest) throw new UpstreamError(upstream, 'no_data', 'no forecast for this hour');
  const step = checked(upstream, STEP, nearest.step);
  const { air_temperature, relative_humidity, wind_speed } = step.data.instant.details;
  const symbol = shortestPeriod(step)?.symbol;
  const raw = {
    at: nearest.at,
    temperature: air_temperature,
    humidity: relative_humidity,
    windSpeed: kmhFromMs(wind_speed),
    condition: symbol && conditionOfSymbol(symbol),
    isDay: symbol ? isDaySymbol(symbol) : undefined,
  };
  return toWeather(upstream, raw, now);
}

/**
 * The daily forecast of a series in the complete format, from the step for an instant on. The service does not report the
 * time zone.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the series has no complete day
 */
export function forecastFrom(
  upstream: string,
  series: Series,
  point: Point,
  now: number,
): DailyForecast {
  const timeZone = timeZoneAt(point);
  const from = now - LONGEST_PERIOD_HOURS * HOUR_MS;
  const used = stepsBetween(timesOf(upstream, series), from, now + USED_MS);
  const steps = used
    .map(({ at, step }) => toForecastStep(at, checked(upstream, STEP, step)))
    .filter(({ at, lengthMs }) => at + lengthMs > now);
  return toForecast(upstream, { point, timeZone, days: daysOfSteps(steps, timeZone) }, now);
}

/** The instant of each step. @throws UpstreamError (`bad_answer`) if a step has no time */
function timesOf(upstream: string, { properties }: Series): { at: number; step: unknown }[] {
  return properties.timeseries.map((step) => {
    const at = instantOf(isObject(step) ? step['time'] : undefined);
    if (!Number.isNaN(at)) return { at, step };
    throw new UpstreamError(upstream, 'bad_answer', 'a step has no time');
  });
}

/** The extremes of a period of six hours matter where the next step is as far away. Periods of one hour have none. */
function toForecastStep(at: number, step: Step): ForecastStep {
  const shortest = shortestPeriod(step);
  const details = shortest?.period.details;
  return {
    at,
    lengthMs: (shortest?.hours ?? 0) * HOUR_MS,
    temperature: step.data.instant.details.air_temperature,
    extremes: [details?.air_temperature_min, details?.air_temperature_max],
    condition: shortest && conditionOfSymbol(shortest.symbol),
    precipitationProbability: details?.probability_of_precipitation,
  };
}

/** The shortest period after a step that has a symbol; undefined if none has one. */
function shortestPeriod({ data }: Step) {
  const periods = [
    { period: data.next_1_hours, hours: 1 },
    { period: data.next_6_hours, hours: 6 },
    { period: data.next_12_hours, hours: LONGEST_PERIOD_HOURS },
  ];
  for (const { period, hours } of periods) {
    const symbol = period?.summary?.symbol_code;
    if (period && symbol) return { period, symbol, hours };
  }
  return undefined;
}
