import { localDate } from '../weather/local-time.js';
import type { Point } from '../weather/types.js';
import { mostSevere, type RawDay } from './daily-values.js';
import { nextDate, startOf, sunTimes } from './sun-times.js';

/** The forecast for an instant and the time after it. */
export interface ForecastStep {
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Milliseconds for which the step describes the weather. */
  lengthMs: number;
  /** Degrees Celsius; undefined if the step has none. */
  temperature: number | undefined;
  condition: string | undefined;
  /** Percent. */
  precipitationProbability?: number | undefined;
}

/**
 * Summarizes the steps of each local date. The first date has only the steps that are left of it. A date that the steps
 * do not cover to its end is left out: its highest or lowest temperature could be after the last step.
 * @param steps in the order of their instants
 */
export function daysOfSteps(steps: ForecastStep[], point: Point, timeZone: string): RawDay[] {
  const byDate = new Map<string, ForecastStep[]>();
  let coveredUntil = -Infinity;
  for (const step of steps) {
    const date = localDate(timeZone, step.at) ?? '';
    byDate.set(date, [...(byDate.get(date) ?? []), step]);
    coveredUntil = Math.max(coveredUntil, step.at + step.lengthMs);
  }
  return [...byDate]
    .filter(([date]) => date !== '' && startOf(nextDate(date), timeZone) <= coveredUntil)
    .map(([date, ofDate]) => {
      const temperatures = ofDate.flatMap(({ temperature }) => temperature ?? []);
      const conditions = ofDate.flatMap(({ condition }) => condition ?? []);
      const probabilities = ofDate.flatMap((step) => step.precipitationProbability ?? []);
      return {
        date,
        min: temperatures.length > 0 ? Math.min(...temperatures) : undefined,
        max: temperatures.length > 0 ? Math.max(...temperatures) : undefined,
        condition: mostSevere(conditions),
        precipitationProbability: probabilities.length > 0 ? Math.max(...probabilities) : undefined,
        ...sunTimes(point, timeZone, date),
      };
    });
}
