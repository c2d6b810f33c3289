import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import { conditionOfSymbol, isDaySymbol } from './symbols.js';
import { atMost } from '../../upstream/schema.js';
import type { Weather } from '../../weather/types.js';
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

/** In the first days there is one step an hour. A step that is further off is not about now. */
const FARTHEST_MS = 90 * 60_000;
/** A forecast of ten days has about ninety steps. */
const MOST_STEPS = 500;

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

/**
 * The weather of the step for an instant: the last step that has begun, or the first one.
 * @param now milliseconds since the epoch
 * @throws UpstreamError (`bad_answer`) if no step is near enough, or the step lacks a value
 */
export function weatherAt(upstream: string, forecast: Forecast, now: number): Weather {
  const steps = forecast.properties.timeseries;
  const hasBegun = ({ time }: Step) => Date.parse(time) <= now;
  const step = steps.findLast(hasBegun) ?? steps[0];
  if (!step || Math.abs(now - Date.parse(step.time)) > FARTHEST_MS) {
    throw new UpstreamError(upstream, 'bad_answer', 'no forecast for this hour');
  }
  const raw = valuesOf(step);
  if (raw) return toWeather(upstream, raw);
  throw new UpstreamError(upstream, 'bad_answer', 'the forecast for this hour lacks a value');
}

/** The values in the units of `Weather`; undefined if one of the four is missing. */
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
