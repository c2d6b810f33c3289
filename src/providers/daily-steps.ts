import { localDate } from '../weather/local-time.js';
import { plausible, type Quantity } from '../weather/plausible.js';
import { highest, lowest, mostSevere, type RawDay } from './daily-values.js';
import type { Maybe } from '../weather/types.js';

/** The forecast for an instant and the period after it. */
export interface ForecastStep {
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Milliseconds until the period ends. */
  lengthMs: number;
  /** Degrees Celsius at the instant. */
  temperature: Maybe<number>;
  /** The lowest and the highest temperature of the period in degrees Celsius. */
  extremes?: Maybe<number>[];
  /** The condition of the period. */
  condition: Maybe<string>;
  /** Percent, in the period. */
  precipitationProbability?: Maybe<number>;
}

/** The values of the steps of one date. */
interface DateValues {
  temperatures: number[];
  conditions: string[];
  probabilities: number[];
}

/**
 * Summarizes the steps of each local date. The first date has only the steps that are left of it. A date that the steps
 * do not cover to its end is left out: its highest or lowest temperature could be after the last step.
 * @param steps in the order of their instants
 */
export function daysOfSteps(steps: ForecastStep[], timeZone: string): RawDay[] {
  const dateOf = (instant: number) => localDate(timeZone, instant) ?? '';
  const dates = new Map<string, DateValues>();
  const valuesAt = (instant: number): DateValues => {
    const date = dateOf(instant);
    const values = dates.get(date) ?? { temperatures: [], conditions: [], probabilities: [] };
    dates.set(date, values);
    return values;
  };
  let coveredUntil = -Infinity;
  for (const step of steps) {
    valuesAt(step.at).temperatures.push(...good('temperature', step.temperature));
    const ofPeriod = valuesAt(middleOf(step));
    ofPeriod.temperatures.push(...good('temperature', ...(step.extremes ?? [])));
    if (step.condition != null) ofPeriod.conditions.push(step.condition);
    ofPeriod.probabilities.push(
      ...good('precipitation_probability', step.precipitationProbability),
    );
    coveredUntil = Math.max(coveredUntil, step.at + step.lengthMs);
  }
  const coveredBefore = steps.length > 0 ? dateOf(coveredUntil) : '';
  return [...dates]
    .filter(([date]) => date < coveredBefore)
    .map(([date, { temperatures, conditions, probabilities }]) => ({
      date,
      min: lowest(temperatures),
      max: highest(temperatures),
      condition: mostSevere(conditions),
      precipitationProbability: highest(probabilities),
    }));
}

/** A period counts for the date on which most of it lies or, if it lies on two dates equally, for the first one. */
function middleOf({ at, lengthMs }: ForecastStep): number {
  return at + Math.max(lengthMs / 2 - 1, 0);
}

/** The plausible ones of several values: an implausible value counts as missing. */
function good(quantity: Quantity, ...inputs: Maybe<number>[]): number[] {
  return inputs.flatMap((input) => plausible(quantity, input) ?? []);
}
