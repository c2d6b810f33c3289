import { UpstreamError } from '../weather/errors.js';
import type { JsonResponse } from '../upstream/upstream-client.js';
import type { CurrentKind, CurrentValues } from '../weather/kinds/current-kind.js';
import type { Station } from '../weather/kinds/current-weather.js';
import { HOUR_MS } from '../weather/time/durations.js';
import { seriesOf, type Series, type SeriesKind } from '../weather/kinds/series.js';
import type { UpstreamValue, ZonedPoint } from '../weather/types.js';
import { clean, type Quantities, type RawValues } from '../weather/kinds/values.js';

/** Milliseconds after which weather is not current. Providers renew data at least once an hour. */
const MAX_AGE_MS = 3 * HOUR_MS;
/** Milliseconds by which data may be in the future: a forecast's first step can begin soon. */
const MAX_AHEAD_MS = HOUR_MS;

/** Values of a provider at `time`, in milliseconds since the Unix epoch; NaN if it is missing. */
export interface RawTime extends RawValues {
  time: number;
  /** The station that measured the values. */
  station?: Station;
  /** Kilometers between two points of the model. */
  resolution_km?: number;
}

/** The values of a provider for a local date, as `2026-11-24`. */
export interface RawDay extends RawValues {
  date: string;
}

type Readable<Body> = Pick<JsonResponse<Body>, 'body' | 'referenceTimes'>;

/**
 * Reads the current values of a kind from a response, as the public contract requires.
 * @param read returns the values reported for the reference time `now` (ms since the Unix epoch)
 * @throws UpstreamError (`no_data`) if the values are old, in the future, or of no known time, or
 *   if a required value is missing or implausible
 */
export function readCurrent<Body, Q extends Quantities, Others>(
  upstream: string,
  { quantities, otherChecks }: CurrentKind<Q, Others>,
  response: Readable<Body>,
  read: (body: Body, now: number) => RawTime | undefined,
): UpstreamValue<CurrentValues<Q, Others>> {
  const noData = (text: string) => new UpstreamError(upstream, 'no_data', text);
  return readAtReferenceTime(response, (body, now) => {
    const raw = read(body, now);
    if (!raw) throw noData('no forecast for this hour');
    const { time } = raw;
    if (Number.isNaN(time)) throw noData('the weather has no time');
    const [earliest, latest] = currentRange(now);
    if (time < earliest) throw noData('the weather is old');
    if (time > latest) throw noData('the weather is in the future');
    const cleaned = clean(quantities, raw);
    if ('missing' in cleaned) throw noData(`no plausible ${cleaned.missing}`);
    const others = Object.keys(otherChecks).map((name) => [
      name,
      (raw as unknown as Record<string, unknown>)[name] ?? null,
    ]);
    return { time, ...cleaned.values, ...Object.fromEntries(others) } as CurrentValues<Q, Others>;
  });
}

/** The earliest and the latest instant for which data is current weather. */
export function currentRange(now: number): [earliest: number, latest: number] {
  return [now - MAX_AGE_MS, now + MAX_AHEAD_MS];
}

/**
 * Reads the steps of a kind from now on from a response, as the public contract requires, in order.
 * Leaves out a step that lacks a required value, has ended, or begins after the fetched steps. Of
 * several steps for one time or date, the first complete one remains.
 * @param read returns the reported values; `now` is the reference time in ms since the Unix epoch
 * @throws UpstreamError (`no_data`) if no step is left, or all are in the future (a clock is wrong)
 */
export function readSeries<Body, Step extends object, At extends number | string>(
  upstream: string,
  kind: SeriesKind<Step, At>,
  point: ZonedPoint,
  response: Readable<Body>,
  read: (body: Body, now: number) => (At extends number ? RawTime : RawDay)[],
): UpstreamValue<Series<Step>> {
  const { order, isAt, lengthMs, firstAt } = kind.granularity;
  const noData = (text: string) => new UpstreamError(upstream, 'no_data', text);
  return readAtReferenceTime(response, (body, now) => {
    const first = firstAt(point.timeZone, now);
    // One more than is fetched: the first step can be missing.
    const last = firstAt(point.timeZone, now + (kind.maxSteps + 1) * lengthMs);
    const latestFirst = firstAt(point.timeZone, now + lengthMs + MAX_AHEAD_MS);
    const valuesByTime = new Map<At, object>();
    let hasBegun = false;
    for (const step of read(body, now) as Partial<RawTime & RawDay>[]) {
      const at: unknown = step[order];
      hasBegun ||= isAt(at) && at <= latestFirst;
      if (!isAt(at) || at < first || at > last || valuesByTime.has(at)) continue;
      const cleaned = clean(kind.quantities, step);
      if ('values' in cleaned) valuesByTime.set(at, cleaned.values);
    }
    const computed = kind.computed?.(point);
    const steps = [...valuesByTime]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, kind.maxSteps)
      .map(([at, values]) => ({ [order]: at, ...values, ...computed?.(at) }) as Step);
    if (steps.length === 0) throw noData('the forecast has no complete step from now on');
    if (!hasBegun) throw noData('the forecast begins in the future');
    return seriesOf(kind, point.timeZone, steps);
  });
}

/**
 * Reads a response at each reference time in order, until its data is good. The clocks of the
 * provider and of this process may each be wrong by days.
 * @throws UpstreamError the failure at the first reference time, if the data is good at none
 */
function readAtReferenceTime<Body, Value>(
  { body, referenceTimes }: Readable<Body>,
  read: (body: Body, now: number) => Value,
): UpstreamValue<Value> {
  let failure: UpstreamError | undefined;
  for (const now of referenceTimes) {
    try {
      return { value: read(body, now), referenceTime: now };
    } catch (error) {
      if (!hasNoData(error)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new RangeError('There is no clock');
}

/** Whether an error means that the provider has no good data for a point. */
export function hasNoData(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'no_data';
}
