import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import { conditionOfSymbol, isDaySymbol } from './symbols.js';
import { atMost } from '../../upstream/schema.js';
import type { ForecastEntry } from '../answers.js';
import { kmhFromMs, toWeather, type RawWeather } from '../weather-values.js';

type Maybe<T> = T | null | undefined;

interface Period {
  summary?: { symbol_code?: Maybe<string> };
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

export interface Forecast {
  properties: { timeseries: Step[] };
}

/** In the first days one step follows the other after an hour. A farther one is not about now. */
const FARTHEST_MS = 90 * 60_000;
/** A forecast of ten days has some ninety. */
const MOST_STEPS = 500;
/** How many steps are kept for conditional requests. The data change every few hours. */
const KEPT_STEPS = 6;

/** How long after its time, in milliseconds, the last kept step still counts as the current one. */
export const KEPT_BEYOND_MS = FARTHEST_MS;

const number = Joi.number().allow(null);
const period = Joi.object({ summary: Joi.object({ symbol_code: Joi.string().allow(null) }) });

/** The far end of a series lacks values: only the steps in use must be complete. */
export const FORECAST = Joi.object<Forecast>({
  properties: Joi.object({
    timeseries: atMost(
      MOST_STEPS,
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

/** The last entry that has begun, or the first that is about to begin; undefined when none is near. */
export function currentEntry<T extends { from: number }>(entries: T[], now: number): T | undefined {
  const entry = entries.findLast(({ from }) => from <= now) ?? entries[0];
  return entry && Math.abs(now - entry.from) <= FARTHEST_MS ? entry : undefined;
}

/**
 * The step for now and a few after it.
 * @throws UpstreamError (`bad_answer`) when the one for now is missing or lacks a value
 */
export function readEntries(upstream: string, forecast: Forecast, now: number): ForecastEntry[] {
  const steps = forecast.properties.timeseries.map((step) => ({
    from: Date.parse(step.time),
    step,
  }));
  const current = currentEntry(steps, now);
  if (!current) throw new UpstreamError(upstream, 'bad_answer', 'no forecast for this hour');
  const entries: ForecastEntry[] = [];
  for (const { from, step } of steps.slice(steps.indexOf(current)).slice(0, KEPT_STEPS)) {
    const raw = valuesOf(step);
    if (!raw) break;
    entries.push({ from, weather: toWeather(upstream, raw) });
  }
  if (entries.length > 0) return entries;
  throw new UpstreamError(upstream, 'bad_answer', 'the forecast for this hour lacks a value');
}

/** In the contract's units; undefined when one of the four values is missing. */
function valuesOf({ data }: Step): RawWeather | undefined {
  const { air_temperature, relative_humidity, wind_speed } = data.instant.details;
  const periods = [data.next_1_hours, data.next_6_hours, data.next_12_hours];
  const symbol = periods.find((each) => each?.summary?.symbol_code)?.summary?.symbol_code;
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
