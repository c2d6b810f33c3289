import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { HOUR_MS } from '../../weather/durations.js';
import type { Maybe } from '../../weather/types.js';
import type { ForecastStep } from '../daily-steps.js';
import { instantOfSeconds, kmhFromMs, maybeNumber } from '../weather-values.js';
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

/** One item for every three hours of the next five days. */
interface Forecast {
  cod: number | string;
  list: Item[];
}

interface Item extends Precipitation {
  /** Seconds since the Unix epoch. */
  dt?: Maybe<number>;
  main: { temp?: Maybe<number> };
  weather?: Maybe<Condition[]>;
  wind?: Maybe<Wind>;
  /** Probability of precipitation from 0 to 1. */
  pop?: Maybe<number>;
}

/** Milliseconds between two items. */
export const STEP_MS = 3 * HOUR_MS;
const MAX_STEPS = 100;

export const FORECAST = Joi.object<Forecast>({
  cod,
  list: atMost(
    MAX_STEPS,
    Joi.array().items(
      Joi.object({
        dt: maybeNumber,
        main: Joi.object({ temp: maybeNumber }).required(),
        weather,
        wind,
        pop: maybeNumber,
        ...precipitation,
      }),
    ),
  ).required(),
});

/**
 * The steps of a forecast. The documentation does not say whether amount and probability are those of the three hours
 * before or after `dt`. Here they are those after it, as the condition.
 */
export function stepsOf({ list }: Forecast): ForecastStep[] {
  return list.map((item) => ({
    at: instantOfSeconds(item.dt),
    lengthMs: STEP_MS,
    temperature: item.main.temp,
    condition: conditionOf(item.weather),
    precipitationProbability: item.pop == null ? undefined : item.pop * 100,
    precipitation: precipitationOf(item, '3h'),
    windSpeed: kmhFromMs(item.wind?.speed),
    windGusts: kmhFromMs(item.wind?.gust),
  }));
}
