import { ServiceUnavailableError } from '../base/errors.js';
import { isObject } from '../base/is-object.js';
import { isTimeZoneName } from './local-time.js';
import type { Checks } from './values.js';

/**
 * The steps of a forecast, in their order. One list for each member of a step, because as many objects would take three times
 * as much memory in Redis. All lists have the same length.
 */
export type Series<Step> = {
  /** IANA name of the time zone of dates and times. */
  timezone: string;
} & { [Name in keyof Step]: Step[Name][] };

/** How the steps of a series are stored. */
export interface SeriesFormat<Step> {
  /** The member by which the steps are ordered. */
  order: keyof Step & string;
  /** The checks of the members of a step. */
  step: Checks<Step>;
  /** Maximum number of steps. */
  most: number;
}

/** Creates a series of steps that are in their order. */
export function seriesOf<Step extends object>(
  { step }: SeriesFormat<Step>,
  timezone: string,
  steps: Step[],
): Series<Step> {
  const names = Object.keys(step) as (keyof Step)[];
  const lists = names.map((name) => [name, steps.map((each) => each[name])]);
  return { timezone, ...Object.fromEntries(lists) } as Series<Step>;
}

/** Reads a series from untrusted data: undefined if it is not one. A list that is absent has only null. */
export function readSeries<Step extends object>(
  { order, step, most }: SeriesFormat<Step>,
  input: unknown,
): Series<Step> | undefined {
  if (!isObject(input) || !isTimeZoneName(input['timezone'])) return undefined;
  const ordered: unknown = input[order];
  if (!Array.isArray(ordered) || ordered.length > most || ordered.length === 0) return undefined;
  const { length } = ordered;
  // Each must be greater than the one before it.
  if (!ordered.slice(1).every((each, index) => each > (ordered[index] as number))) return undefined;
  const read: Record<string, unknown> = { timezone: input['timezone'] };
  for (const name in step) {
    const list: unknown = input[name] ?? Array<null>(length).fill(null);
    if (!Array.isArray(list) || list.length !== length) return undefined;
    if (!list.every((each) => step[name](each))) return undefined;
    read[name] = list;
  }
  return read as Series<Step>;
}

/**
 * The index of the first step that is not over yet. An entry can be served when its first steps are over.
 * @throws ServiceUnavailableError if all steps are over: a forecast of the past is not a value
 */
export function firstLeft<T>(steps: T[], isLeft: (step: T) => boolean): number {
  const first = steps.findIndex(isLeft);
  if (first >= 0) return first;
  throw new ServiceUnavailableError('All of the forecast is over');
}
