import { UpstreamError } from '../errors.js';
import { codeOf } from '../weather/conditions.js';
import {
  MAX_FORECAST_DAYS,
  type DailyForecast,
  type DailyWeather,
} from '../weather/daily-forecast.js';
import { isPlausibleTemperature } from '../weather/plausible.js';
import { oneDecimal, wholeNumber, type Maybe } from './weather-values.js';

/** The values that a provider reports for a day, in the units of the contract and not rounded. */
export interface RawDay {
  /** The local date, as `2026-11-24`. */
  date: string;
  /** Degrees Celsius. */
  min: Maybe<number>;
  /** Degrees Celsius. */
  max: Maybe<number>;
  condition: Maybe<string>;
  /** Percent. */
  precipitationProbability: Maybe<number>;
  /** Local time, as `2026-11-24T07:31`. */
  sunrise: Maybe<string>;
  sunset: Maybe<string>;
}

/**
 * Rounds the days as the public contract requires. A day without a minimum, a maximum, or a condition is left out, and
 * so are the days after the seventh.
 * @throws UpstreamError (`bad_answer`) if no day is left, or a value is impossible
 */
export function toForecast(upstream: string, timezone: string, raw: RawDay[]): DailyForecast {
  const days = raw.flatMap((day) => toDay(upstream, day) ?? []).slice(0, MAX_FORECAST_DAYS);
  if (days.length > 0) return { timezone, days };
  throw new UpstreamError(upstream, 'bad_answer', 'the forecast has no complete day');
}

function toDay(upstream: string, raw: RawDay): DailyWeather | undefined {
  if (raw.min == null || raw.max == null || raw.condition == null) return undefined;
  const temperature_min = oneDecimal(raw.min);
  const temperature_max = oneDecimal(raw.max);
  const isPossible =
    isPlausibleTemperature(temperature_min) &&
    isPlausibleTemperature(temperature_max) &&
    temperature_min <= temperature_max;
  if (!isPossible) {
    const range = `${temperature_min} to ${temperature_max}`;
    throw new UpstreamError(upstream, 'bad_answer', `impossible temperature: ${range}`);
  }
  return {
    date: raw.date,
    temperature_min,
    temperature_max,
    condition: raw.condition,
    precipitation_probability: percentage(upstream, raw.precipitationProbability),
    sunrise: raw.sunrise ?? null,
    sunset: raw.sunset ?? null,
  };
}

function percentage(upstream: string, value: Maybe<number>): number | null {
  if (value == null) return null;
  const rounded = wholeNumber(value);
  if (rounded <= 100) return rounded;
  throw new UpstreamError(upstream, 'bad_answer', `impossible probability: ${rounded}`);
}

/** The lowest of several numbers; undefined if there is none. */
export function lowest(numbers: number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[0];
}

/** The highest of several numbers; undefined if there is none. */
export function highest(numbers: number[]): number | undefined {
  return numbers.toSorted((a, b) => b - a)[0];
}

/**
 * The most severe of several conditions: the one with the highest WMO code, as in the daily forecast of Open-Meteo.
 * Undefined if there is none.
 */
export function mostSevere(conditions: string[]): string | undefined {
  const severity = (condition: string) => codeOf(condition) ?? -1;
  return conditions.toSorted((a, b) => severity(b) - severity(a))[0];
}
