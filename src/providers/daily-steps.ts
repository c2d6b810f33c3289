import { localDate } from '../weather/local-time.js';
import { bounded, plausible, type Quantity } from '../weather/plausible.js';
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
  /** Millimeters in the period. */
  precipitation?: Maybe<number>;
  /** Kilometers per hour at the instant. */
  windSpeed?: Maybe<number>;
  windGusts?: Maybe<number>;
}

/** The values of the steps of one date. */
interface DateValues {
  temperatures: number[];
  conditions: string[];
  probabilities: number[];
  /** Of every period and instant of the date: null if the step does not have it. */
  amounts: (number | null)[];
  windSpeeds: (number | null)[];
  windGusts: (number | null)[];
}

/**
 * Summarizes the steps of each local date. The first date has only the steps that are left of it. A date that the steps
 * do not cover to its end is left out: its highest or lowest temperature could be after the last step. The sum of
 * precipitation and the maxima of wind are null if a step of the date lacks the value.
 * @param steps in the order of their instants
 */
export function daysOfSteps(steps: ForecastStep[], timeZone: string): RawDay[] {
  const dateOf = (instant: number) => localDate(timeZone, instant) ?? '';
  const dates = new Map<string, DateValues>();
  const valuesAt = (instant: number): DateValues => {
    const date = dateOf(instant);
    const values = dates.get(date) ?? {
      ...{ temperatures: [], conditions: [], probabilities: [] },
      ...{ amounts: [], windSpeeds: [], windGusts: [] },
    };
    dates.set(date, values);
    return values;
  };
  let coveredUntil = -Infinity;
  for (const step of steps) {
    const atInstant = valuesAt(step.at);
    atInstant.temperatures.push(...good('temperature', step.temperature));
    atInstant.windSpeeds.push(bounded('wind_speed', step.windSpeed));
    atInstant.windGusts.push(bounded('wind_gusts', step.windGusts));
    const ofPeriod = valuesAt(middleOf(step));
    ofPeriod.temperatures.push(...good('temperature', ...(step.extremes ?? [])));
    if (step.condition != null) ofPeriod.conditions.push(step.condition);
    ofPeriod.probabilities.push(
      ...good('precipitation_probability', step.precipitationProbability),
    );
    const end = step.at + step.lengthMs;
    if (step.at > coveredUntil && coveredUntil > -Infinity) {
      // The amounts between the two periods are missing.
      valuesAt(coveredUntil).amounts.push(null);
      valuesAt(step.at - 1).amounts.push(null);
    }
    if (step.at >= coveredUntil)
      ofPeriod.amounts.push(bounded('precipitation', step.precipitation));
    // Only a part of the amount is not in the one of the period before.
    else if (end > coveredUntil) ofPeriod.amounts.push(null);
    coveredUntil = Math.max(coveredUntil, end);
  }
  const coveredBefore = steps.length > 0 ? dateOf(coveredUntil) : '';
  return [...dates]
    .filter(([date]) => date < coveredBefore)
    .map(([date, { temperatures, conditions, probabilities, ...complete }]) => ({
      date,
      min: lowest(temperatures),
      max: highest(temperatures),
      condition: mostSevere(conditions),
      precipitationProbability: highest(probabilities),
      precipitation: ifComplete(complete.amounts, sumOf),
      windSpeedMax: ifComplete(complete.windSpeeds, highest),
      windGustsMax: ifComplete(complete.windGusts, highest),
    }));
}

/** Summarizes values if none of them is missing. */
function ifComplete(values: (number | null)[], summarize: (numbers: number[]) => Maybe<number>) {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === values.length && numbers.length > 0 ? summarize(numbers) : undefined;
}

const sumOf = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** A period counts for the date on which most of it lies or, if it lies on two dates equally, for the first one. */
function middleOf({ at, lengthMs }: ForecastStep): number {
  return at + Math.max(lengthMs / 2 - 1, 0);
}

/** The plausible ones of several values: an implausible value counts as missing. */
function good(quantity: Quantity, ...inputs: Maybe<number>[]): number[] {
  return inputs.flatMap((input) => plausible(quantity, input) ?? []);
}
