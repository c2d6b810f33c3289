import { HOUR_MS } from '../weather/durations.js';

/** A part of a forecast for an instant. */
interface Step {
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/**
 * The steps from one instant to another, in the order of their instants, at most one for each hour: real steps are at least
 * an hour apart. Of several steps in an hour, the first one of the response remains. Whatever costs more must use only the
 * steps that this function returns.
 * @param steps in any order
 * @param from milliseconds since the Unix epoch
 */
export function stepsBetween<S extends Step>(steps: S[], from: number, to: number): S[] {
  const byHour = new Map<number, S>();
  for (const step of steps) {
    const hour = Math.floor(step.at / HOUR_MS);
    if (step.at >= from && step.at <= to && !byHour.has(hour)) byHour.set(hour, step);
  }
  return [...byHour.values()].sort((a, b) => a.at - b.at);
}
