import { localDate } from '../weather/local-time.js';
import { bounded, plausible, type Quantity } from '../weather/quantities.js';
import type { Maybe } from '../weather/types.js';
import type { RawValues } from '../weather/values.js';
import type { RawDay } from './kind-values.js';

/**
 * The forecast for an instant and for a period. Temperature, wind, gusts, and UV index are those at the instant. The weather
 * code, precipitation, and its probability are those of the period.
 */
export interface ForecastStep extends RawValues {
  /** Milliseconds since the Unix epoch. */
  time: number;
  /** The beginning of the period. */
  from: number;
  /** The end of the period. */
  to: number;
  /** The end of the time for which the values at the instant count, if it is later. */
  countsUntil?: number;
  /** The lowest and the highest temperature of the period in degrees Celsius. */
  extremes?: Maybe<number>[];
}

/** The values of the steps of one date. In the last four lists, null stands for a step without the value. */
interface DateValues {
  temperatures: number[];
  codes: number[];
  probabilities: number[];
  amounts: (number | null)[];
  speeds: (number | null)[];
  gusts: (number | null)[];
  uv: (number | null)[];
}

/**
 * Summarizes the steps of each local date. The first date has only the steps that are left of it. A date that the steps
 * do not cover to its end is left out: its highest or lowest temperature could be after the last step. The sum of
 * precipitation and the maxima are null if a step of the date lacks the value.
 * @param steps in the order of their instants
 */
export function daysOfSteps(steps: ForecastStep[], timeZone: string): RawDay[] {
  const dateOf = (instant: number) => localDate(timeZone, instant) ?? '';
  const dates = new Map<string, DateValues>();
  const valuesAt = (instant: number): DateValues => {
    const date = dateOf(instant);
    const values = dates.get(date) ?? {
      ...{ temperatures: [], codes: [], probabilities: [] },
      ...{ amounts: [], speeds: [], gusts: [], uv: [] },
    };
    dates.set(date, values);
    return values;
  };
  let coveredUntil = -Infinity;
  for (const step of steps) {
    const { from, to } = step;
    const atInstant = valuesAt(step.time);
    atInstant.temperatures.push(...good('temperature', step.temperature));
    atInstant.speeds.push(bounded('wind_speed', step.wind_speed));
    atInstant.gusts.push(bounded('wind_gusts', step.wind_gusts));
    atInstant.uv.push(bounded('uv_index', step.uv_index));
    const ofPeriod = valuesAt(middleOf(step));
    ofPeriod.temperatures.push(...good('temperature', ...(step.extremes ?? [])));
    if (step.weather_code != null) ofPeriod.codes.push(step.weather_code);
    ofPeriod.probabilities.push(
      ...good('precipitation_probability', step.precipitation_probability),
    );
    if (from > coveredUntil && coveredUntil > -Infinity) {
      // The amounts between the two periods are missing.
      valuesAt(coveredUntil).amounts.push(null);
      valuesAt(from - 1).amounts.push(null);
    }
    if (from >= coveredUntil) ofPeriod.amounts.push(bounded('precipitation', step.precipitation));
    // Only a part of the amount is not in the one of the period before.
    else if (to > coveredUntil) ofPeriod.amounts.push(null);
    coveredUntil = Math.max(coveredUntil, to);
  }
  const reach = Math.max(coveredUntil, ...steps.map((step) => step.countsUntil ?? step.to));
  // The amount after the last period is missing.
  if (reach > coveredUntil && steps.length > 0) valuesAt(coveredUntil).amounts.push(null);
  const coveredBefore = steps.length > 0 ? dateOf(reach) : '';
  return [...dates]
    .filter(([date]) => date < coveredBefore)
    .map(([date, values]) => ({
      date,
      temperature_min: lowest(values.temperatures),
      temperature_max: highest(values.temperatures),
      weather_code: highest(values.codes),
      precipitation_probability: highest(values.probabilities),
      precipitation: ifComplete(values.amounts, sumOf),
      wind_speed_max: ifComplete(values.speeds, highest),
      wind_gusts_max: ifComplete(values.gusts, highest),
      uv_index_max: ifComplete(values.uv, highest),
    }));
}

/** Summarizes values if none of them is missing. */
function ifComplete(values: (number | null)[], summarize: (numbers: number[]) => Maybe<number>) {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === values.length && numbers.length > 0 ? summarize(numbers) : undefined;
}

const sumOf = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

const lowest = (numbers: number[]) => (numbers.length > 0 ? Math.min(...numbers) : undefined);

/** The highest of several numbers; undefined if there is none. The highest WMO code is that of the most severe weather. */
export const highest = (numbers: number[]): number | undefined =>
  numbers.length > 0 ? Math.max(...numbers) : undefined;

/** A period counts for the date on which most of it lies or, if it lies on two dates equally, for the first one. */
function middleOf({ from, to }: ForecastStep): number {
  return from + Math.max((to - from) / 2 - 1, 0);
}

/** The plausible ones of several values: an implausible value counts as missing. */
function good(quantity: Quantity, ...inputs: Maybe<number>[]): number[] {
  return inputs.flatMap((input) => plausible(quantity, input) ?? []);
}
