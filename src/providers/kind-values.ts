import { UpstreamError } from '../base/errors.js';
import type { CurrentKind } from '../weather/kinds/current-weather.js';
import { seriesOf, type Series, type SeriesKind } from '../weather/kinds/series.js';
import type { ZonedPoint } from '../weather/types.js';
import { clean, type Quantities, type RawValues, type Values } from '../weather/kinds/values.js';
import { assertCurrent } from './reference-time.js';

/** What a provider reports for an instant, in milliseconds since the Unix epoch; NaN if the response does not have it. */
export interface RawTime extends RawValues {
  time: number;
}

/** What a provider reports for a local date, as `2026-11-24`. */
export interface RawDay extends RawValues {
  date: string;
}

/**
 * Returns the current values of a kind as the public contract requires.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if the values are not current, or a required value is missing or implausible
 */
export function toCurrent<Q extends Quantities>(
  upstream: string,
  { quantities }: CurrentKind<Q>,
  raw: RawTime | undefined,
  now: number,
): Values<Q> & { time: number } {
  if (!raw) throw new UpstreamError(upstream, 'no_data', 'no forecast for this hour');
  assertCurrent(upstream, raw.time, now);
  const cleaned = clean(quantities, raw);
  if ('values' in cleaned) return { time: raw.time, ...cleaned.values };
  throw new UpstreamError(upstream, 'no_data', `no plausible ${cleaned.missing}`);
}

/**
 * Returns the steps of a kind from now on as the public contract requires, in their order. A step that lacks a required value is
 * left out, and so is one that is over, or that begins after the steps that are fetched. Of several steps for one time or date, the
 * first complete one remains.
 * @param now the reference time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no step is left
 */
export function toSeries<Step extends object, At extends number | string>(
  upstream: string,
  kind: SeriesKind<Step, At>,
  point: ZonedPoint,
  raw: (At extends number ? RawTime : RawDay)[],
  now: number,
): Series<Step> {
  const { order, isAt, lengthMs, firstAt } = kind.length;
  const first = firstAt(point.timeZone, now);
  // One more than is fetched: the first step can be missing.
  const last = firstAt(point.timeZone, now + (kind.most + 1) * lengthMs);
  const found = new Map<At, object>();
  for (const step of raw as Partial<RawTime & RawDay>[]) {
    const at: unknown = step[order];
    if (!isAt(at) || at < first || at > last || found.has(at)) continue;
    const cleaned = clean(kind.quantities, step);
    if ('values' in cleaned) found.set(at, cleaned.values);
  }
  const computed = kind.computed?.(point);
  const steps = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, kind.most)
    .map(([at, values]) => ({ [order]: at, ...values, ...computed?.(at) }) as Step);
  if (steps.length > 0) return seriesOf(kind, point.timeZone, steps);
  throw new UpstreamError(upstream, 'no_data', `the forecast has no complete step from now on`);
}
