import { isTimeZoneName } from './local-time.js';
import { readMembers, type Checks } from './values.js';

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
  order: keyof Step;
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
  let length = 0;
  const isOrder = (value: unknown) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > most) return false;
    length = value.length;
    return value.every(
      (each, index) => step[order](each) && !(index > 0 && each <= value[index - 1]),
    );
  };
  const isList = (check: (value: unknown) => boolean) => (value: unknown) =>
    value === null
      ? check(null)
      : Array.isArray(value) && value.length === length && value.every(check);
  const names = Object.keys(step) as (keyof Step)[];
  const lists = names.map((name) => [name, name === order ? isOrder : isList(step[name])]);
  const checks = { timezone: isTimeZoneName, [order]: isOrder, ...Object.fromEntries(lists) };
  const read = readMembers(input, checks as Checks<Series<Step>>);
  if (!read) return undefined;
  for (const name of names) read[name] ??= new Array(length).fill(null) as never;
  return read;
}
