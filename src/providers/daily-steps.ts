import { localDate } from '../weather/time/local-time.js';
import { plausibleValue, type Quantity } from '../weather/kinds/quantities.js';
import type { Maybe } from '../weather/types.js';
import type { RawValues } from '../weather/kinds/values.js';
import type { RawDay } from './kind-values.js';

/**
 * The forecast for an instant (temperature, wind, gusts, UV index) and for a period (weather code,
 * precipitation, and its probability).
 */
export interface ForecastStep extends RawValues {
  /** Milliseconds since the Unix epoch. */
  time: number;
  from: number;
  to: number;
  /** The end of the time for which the values at the instant count, if it is later. */
  countsUntil?: number;
  /** The lowest and the highest temperature of the period in degrees Celsius. */
  extremes?: Maybe<number>[];
}

/** The values of the steps of one date, by quantity. Null stands for a step without the value. */
type DateValues = Partial<Record<Quantity | 'weather_code', (number | null)[]>>;

const AT_INSTANT = ['temperature', 'wind_speed', 'wind_gusts', 'uv_index'] as const;

/**
 * Summarizes the steps of each local date. The first date has only its remaining steps. A date that
 * the steps do not cover to its end is left out: its extreme temperatures could be later. The sum
 * of precipitation and the maxima are missing if a step of the date lacks the value.
 * @param steps in the order of their instants
 */
export function daysOfSteps(steps: ForecastStep[], timeZone: string): RawDay[] {
  const dateOf = (instant: number) => localDate(timeZone, instant);
  const dates = new Map<string, DateValues>();
  const add = (instant: number, name: keyof DateValues, value: number | null) => {
    const date = dateOf(instant);
    const values = dates.get(date) ?? {};
    dates.set(date, values);
    (values[name] ??= []).push(value);
  };
  let coveredUntil = -Infinity;
  for (const step of steps) {
    const { time, from, to, extremes = [], weather_code = null } = step;
    // An implausible value counts as missing.
    const valueOf = (name: Quantity) => plausibleValue(name, step[name]);
    for (const name of AT_INSTANT) add(time, name, valueOf(name));
    const middle = middleOf(step);
    for (const extreme of extremes)
      add(middle, 'temperature', plausibleValue('temperature', extreme));
    add(middle, 'weather_code', weather_code);
    add(middle, 'precipitation_probability', valueOf('precipitation_probability'));
    if (from > coveredUntil && coveredUntil > -Infinity) {
      // The amounts between the two periods are missing.
      add(coveredUntil, 'precipitation', null);
      add(from - 1, 'precipitation', null);
    }
    if (from >= coveredUntil) add(middle, 'precipitation', valueOf('precipitation'));
    // The period overlaps the one before it, so its amount cannot be added.
    else if (to > coveredUntil) add(middle, 'precipitation', null);
    coveredUntil = Math.max(coveredUntil, to);
  }
  const reach = Math.max(coveredUntil, ...steps.map((step) => step.countsUntil ?? step.to));
  // The amount after the last period is missing.
  if (reach > coveredUntil && steps.length > 0) add(coveredUntil, 'precipitation', null);
  const coveredBefore = steps.length > 0 ? dateOf(reach) : '';
  return [...dates]
    .filter(([date]) => date < coveredBefore)
    .map(([date, values]) => ({
      date,
      temperature_min: lowest(known(values.temperature)),
      temperature_max: highest(known(values.temperature)),
      weather_code: highest(known(values.weather_code)),
      precipitation_probability: highest(known(values.precipitation_probability)),
      precipitation: sumOf(complete(values.precipitation)),
      wind_speed_max: highest(complete(values.wind_speed)),
      wind_gusts_max: highest(complete(values.wind_gusts)),
      uv_index_max: highest(complete(values.uv_index)),
    }));
}

const known = (values: (number | null)[] = []) => values.filter((value) => value !== null);

/** The values if none of them is missing, else no value. */
const complete = (values: (number | null)[] = []) => (values.includes(null) ? [] : known(values));

const sumOf = (numbers: number[]) =>
  numbers.length > 0 ? numbers.reduce((total, each) => total + each, 0) : undefined;

const lowest = (numbers: number[]) => (numbers.length > 0 ? Math.min(...numbers) : undefined);

/** The highest number; undefined without one. The highest WMO code is the most severe weather. */
export const highest = (numbers: number[]): number | undefined =>
  numbers.length > 0 ? Math.max(...numbers) : undefined;

/** An instant on the date that has most of a period, or on the first of two dates with a half. */
function middleOf({ from, to }: ForecastStep): number {
  return from + Math.max((to - from) / 2 - 1, 0);
}
