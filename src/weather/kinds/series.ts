import { ServiceUnavailableError } from '../errors.js';
import { isObject } from '../../base/is-object.js';
import { DAY_MS, HOUR_MS } from '../time/durations.js';
import type { Kind } from './kind.js';
import { isDate, isInstant, isTimeZoneName, localDate, noonOf } from '../time/local-time.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import type { ZonedPoint } from '../types.js';
import { checksOf, type Checks, type Quantities } from './values.js';

/**
 * The steps of a forecast, in order. One list for each member of a step, because objects would take
 * three times as much memory in Redis. All lists have the same length.
 */
export type Series<Step> = {
  /** IANA name of the time zone of dates and times. */
  timezone: string;
} & { [Name in keyof Step]: Step[Name][] };

/** The granularity of a series: its steps are hours or days. */
interface Granularity<At> {
  /** The member by which the steps are ordered. */
  order: 'time' | 'date';
  isAt: (value: unknown) => value is At;
  lengthMs: number;
  /** Steps from this one on are not over yet. @param now milliseconds since the Unix epoch */
  firstAt: (timeZone: string, now: number) => At;
  /** When a step is over, in milliseconds since the Unix epoch. */
  endOf: (timeZone: string, at: At) => number;
}

/** `time` is the beginning of an hour, in milliseconds since the Unix epoch. */
export const HOURS: Granularity<number> = {
  order: 'time',
  isAt: isInstant,
  lengthMs: HOUR_MS,
  firstAt: (_timeZone, now) => now - HOUR_MS + 1,
  endOf: (_timeZone, time) => time + HOUR_MS,
};

/** `date` is a local date, as `2026-11-24`. */
export const DAYS: Granularity<string> = {
  order: 'date',
  isAt: isDate,
  lengthMs: DAY_MS,
  firstAt: localDate,
  /** On a day with a clock change, this can be an hour from midnight. */
  endOf: (timeZone, date) => noonOf(timeZone, date) + DAY_MS / 2,
};

interface SeriesOptions<Step, At> {
  name: string;
  granularity: Granularity<At>;
  quantities: Quantities;
  /** Maximum number of steps. Every fetch requests as many. */
  maxSteps: number;
  /** The checks of the members that are not quantities. */
  otherChecks?: Partial<Checks<Step>>;
  /** Returns a function that computes the values that are not taken from providers. */
  computed?(point: ZonedPoint): (at: At) => Partial<Step>;
}

/** A kind whose values are series. */
export interface SeriesKind<Step, At>
  extends Kind<PointRequest, Series<Step>>, SeriesOptions<Step, At> {
  name: string;
  stepChecks: Checks<Step>;
}

export function seriesKind<Step extends object, At>(
  options: SeriesOptions<Step, At>,
): SeriesKind<Step, At> {
  const { granularity, quantities, maxSteps, otherChecks } = options;
  const { order, isAt, endOf } = granularity;
  const stepChecks = { [order]: isAt, ...checksOf(quantities), ...otherChecks } as Checks<Step>;
  return {
    ...options,
    ...ABOUT_POINT,
    stepChecks,
    readValue: (input) => readSeries(stepChecks, order, maxSteps, input),
    remainingMs: (series, now) =>
      Math.max(0, endOf(series.timezone, timesOf<At>(series, order).at(-1) as At) - now),
  };
}

const timesOf = <At>(series: object, order: string) =>
  (series as Record<string, At[]>)[order] ?? [];

/** Creates a series of steps that are in their order. */
export function seriesOf<Step extends object>(
  { stepChecks }: Pick<SeriesKind<Step, never>, 'stepChecks'>,
  timezone: string,
  steps: Step[],
): Series<Step> {
  const names = Object.keys(stepChecks) as (keyof Step)[];
  const lists = names.map((name) => [name, steps.map((each) => each[name])]);
  return { timezone, ...Object.fromEntries(lists) } as Series<Step>;
}

/** Reads a series from untrusted data; undefined if it is none. An absent list has only null. */
function readSeries<Step extends object>(
  stepChecks: Checks<Step>,
  order: string,
  maxSteps: number,
  input: unknown,
): Series<Step> | undefined {
  if (!isObject(input) || !isTimeZoneName(input['timezone'])) return undefined;
  const ordered: unknown = input[order];
  if (!Array.isArray(ordered) || ordered.length > maxSteps || ordered.length === 0)
    return undefined;
  const { length } = ordered;
  // Each must be greater than the one before it.
  if (!ordered.slice(1).every((each, index) => each > (ordered[index] as number))) return undefined;
  const read: Record<string, unknown> = { timezone: input['timezone'] };
  for (const name in stepChecks) {
    const list: unknown = input[name] ?? Array<null>(length).fill(null);
    if (!Array.isArray(list) || list.length !== length) return undefined;
    if (!list.every((each) => stepChecks[name](each))) return undefined;
    read[name] = list;
  }
  return read as Series<Step>;
}

/**
 * Index of the first step that has not ended. An entry may be served after its first steps ended.
 * @param now milliseconds since the Unix epoch
 * @throws ServiceUnavailableError if all steps are over: a forecast of the past is not a value
 */
export function firstRemaining<Step, At>(
  { granularity: { order, firstAt } }: SeriesKind<Step, At>,
  series: Series<Step>,
  now: number,
): number {
  const from = firstAt(series.timezone, now);
  const first = timesOf<At>(series, order).findIndex((at) => at >= from);
  if (first >= 0) return first;
  throw new ServiceUnavailableError('All of the forecast is over');
}
