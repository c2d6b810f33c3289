import Joi from 'joi';
import { isObject } from '../../base/is-object.js';
import { atMost, checked } from '../../upstream/schema.js';
import { HOUR_MS } from '../../weather/durations.js';
import type { Maybe } from '../../weather/types.js';
import { stepsBetween, timedSteps } from '../steps.js';
import { kmhFromMs, maybeText, type RawWeather } from '../weather-values.js';
import { conditionOfSymbol } from './met-norway-symbols.js';

/** The values at the instant of a step. Outside the Nordic countries and after some days, gusts are absent. */
const INSTANT = [
  'air_temperature',
  'relative_humidity',
  'wind_speed',
  'wind_speed_of_gust',
  'wind_from_direction',
  'air_pressure_at_sea_level',
  'cloud_area_fraction',
  'dew_point_temperature',
] as const;

/** The values of a period. Probabilities are absent in some areas. Only periods of six hours have extremes. */
const PERIOD = [
  'air_temperature_min',
  'air_temperature_max',
  'probability_of_precipitation',
  'precipitation_amount',
] as const;

type Values<Name extends string> = Partial<Record<Name, Maybe<number>>>;

/** The values for the hours after a step. */
export interface Period {
  summary?: Maybe<{ symbol_code?: Maybe<string> }>;
  details?: Maybe<Values<(typeof PERIOD)[number]>>;
}

export interface Step {
  time: string;
  data: {
    instant: { details: Values<(typeof INSTANT)[number]> };
    next_1_hours?: Maybe<Period>;
    next_6_hours?: Maybe<Period>;
    next_12_hours?: Maybe<Period>;
  };
}

/** A step that has been validated, and its instant in milliseconds since the Unix epoch. */
export interface TimedStep {
  at: number;
  step: Step;
}

export interface Series {
  /** Not validated: only the steps that are used are. */
  properties: { timeseries: unknown[] };
}

/** A series of ten days has about ninety steps: one per hour at first, then one per six hours. */
const MAX_STEPS = 500;
/** Maximum number of hours in a period. */
export const LONGEST_PERIOD_HOURS = 12;

export const SERIES = Joi.object<Series>({
  properties: Joi.object({ timeseries: atMost(MAX_STEPS, Joi.array()).required() }).required(),
});

/**
 * Creates a schema for an object with numbers that may be missing. Joi's own schema takes four times as long for objects with
 * many other members, and a series has hundreds of objects.
 */
const numbers = (names: readonly string[]) =>
  Joi.any().custom((value: unknown) => {
    if (!isObject(value)) throw new Error('not an object');
    const found = names.map((name) => [name, value[name]] as const);
    const wrong = found.find(([, each]) => each != null && typeof each !== 'number');
    if (wrong) throw new Error(`"${wrong[0]}" must be a number`);
    return Object.fromEntries(found);
  });

const period = Joi.object({
  summary: Joi.object({ symbol_code: maybeText }).allow(null),
  details: numbers(PERIOD).allow(null),
}).allow(null);

const STEP = Joi.object<Step>({
  time: Joi.string().required(),
  data: Joi.object({
    instant: Joi.object({ details: numbers(INSTANT).required() }).required(),
    next_1_hours: period,
    next_6_hours: period,
    next_12_hours: period,
  }).required(),
});

/** @throws UpstreamError (`bad_answer`) if the step does not match the schema */
export function checkedStep(
  upstream: string,
  { at, step }: { at: number; step: unknown },
): TimedStep {
  return { at, step: checked(upstream, STEP, step) };
}

/**
 * The steps of a series between two instants, in their order.
 * @param from milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if a step has no time, or one between the instants does not match the schema
 */
export function stepsOf(upstream: string, series: Series, from: number, to: number): TimedStep[] {
  return uncheckedSteps(upstream, series, from, to).map((step) => checkedStep(upstream, step));
}

/** The same, but only the times are validated. */
export function uncheckedSteps(
  upstream: string,
  { properties }: Series,
  from: number,
  to: number,
): { at: number; step: unknown }[] {
  return stepsBetween(timedSteps(upstream, properties.timeseries, 'time'), from, to);
}

/** The values at the instant of a step. There is no visibility, and the UV index is that of a clear sky. */
export function instantValues({ data }: Step) {
  const { details } = data.instant;
  return {
    temperature: details.air_temperature,
    humidity: details.relative_humidity,
    windSpeed: kmhFromMs(details.wind_speed),
    windDirection: details.wind_from_direction,
    windGusts: kmhFromMs(details.wind_speed_of_gust),
    cloudCover: details.cloud_area_fraction,
    dewPoint: details.dew_point_temperature,
    pressure: details.air_pressure_at_sea_level,
  } satisfies Partial<RawWeather>;
}

/** The shortest period after a step that has a symbol, and its condition; undefined if none has one. */
export function shortestPeriod({ data }: Step) {
  const periods = [
    { period: data.next_1_hours, hours: 1 },
    { period: data.next_6_hours, hours: 6 },
    { period: data.next_12_hours, hours: LONGEST_PERIOD_HOURS },
  ];
  for (const { period, hours } of periods) {
    const symbol = period?.summary?.symbol_code;
    if (period && symbol) {
      return { ...period.details, condition: conditionOfSymbol(symbol), lengthMs: hours * HOUR_MS };
    }
  }
  return undefined;
}
