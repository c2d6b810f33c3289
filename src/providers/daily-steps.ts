import { localDate } from '../weather/local-time.js';
import type { Point } from '../weather/types.js';
import { highest, lowest, mostSevere, type RawDay } from './daily-values.js';
import { nextDate, startOf, sunTimes } from './sun-times.js';

/** The forecast for an instant and the period after it. */
export interface ForecastStep {
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Milliseconds until the period ends. */
  lengthMs: number;
  /** Degrees Celsius at the instant; undefined if the step has none. */
  temperature: number | undefined;
  /** The lowest and the highest temperature of the period in degrees Celsius. */
  extremes?: (number | undefined)[];
  /** The condition of the period. */
  condition: string | undefined;
  /** Percent, in the period. */
  precipitationProbability?: number | undefined;
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
export function daysOfSteps(steps: ForecastStep[], point: Point, timeZone: string): RawDay[] {
  const dates = new Map<string, DateValues>();
  const valuesAt = (instant: number): DateValues => {
    const date = localDate(timeZone, instant) ?? '';
    const values = dates.get(date) ?? { temperatures: [], conditions: [], probabilities: [] };
    dates.set(date, values);
    return values;
  };
  let coveredUntil = -Infinity;
  for (const step of steps) {
    valuesAt(step.at).temperatures.push(...present(step.temperature));
    const ofPeriod = valuesAt(middleOf(step));
    ofPeriod.temperatures.push(...present(...(step.extremes ?? [])));
    ofPeriod.conditions.push(...present(step.condition));
    ofPeriod.probabilities.push(...present(step.precipitationProbability));
    coveredUntil = Math.max(coveredUntil, step.at + step.lengthMs);
  }
  return [...dates]
    .filter(([date]) => date !== '' && startOf(nextDate(date), timeZone) <= coveredUntil)
    .map(([date, { temperatures, conditions, probabilities }]) => ({
      date,
      min: lowest(temperatures),
      max: highest(temperatures),
      condition: mostSevere(conditions),
      precipitationProbability: highest(probabilities),
      ...sunTimes(point, timeZone, date),
    }));
}

/** A period counts for the date on which most of it lies or, if it lies on two dates equally, for the first one. */
function middleOf({ at, lengthMs }: ForecastStep): number {
  return at + Math.max(lengthMs / 2 - 1, 0);
}

function present<Value>(...values: (Value | undefined)[]): Value[] {
  return values.flatMap((value) => value ?? []);
}
