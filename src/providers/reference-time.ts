import { UpstreamError } from '../base/errors.js';
import type { JsonResponse } from '../upstream/upstream-client.js';
import { HOUR_MS } from '../weather/time/durations.js';
import type { UpstreamValue } from '../weather/types.js';

/** Age in milliseconds at which current weather is no longer current. Every provider renews its data at least once an hour. */
const MAX_AGE_MS = 3 * HOUR_MS;
/** Maximum milliseconds by which current weather may be in the future: the first step of a forecast can begin soon. */
const MAX_AHEAD_MS = HOUR_MS;

/**
 * Reads data at the time of its response: by the first clock by which the data is good. The clock of the service and that
 * of this process may each be wrong by days.
 * @param read reads the data. It throws UpstreamError (`no_data`) if the data is not good at `now`, which is in milliseconds
 *   since the Unix epoch
 * @throws UpstreamError the failure by the first clock, if the data is good by none
 */
export function readAtReferenceTime<Body, Value>(
  { body, referenceTimes }: Pick<JsonResponse<Body>, 'body' | 'referenceTimes'>,
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

/** The earliest and the latest instant for which data is current weather. */
export function currentRange(now: number): [earliest: number, latest: number] {
  return [now - MAX_AGE_MS, now + MAX_AHEAD_MS];
}

/**
 * Checks the time of current weather.
 * @param at the instant that it is for; NaN if the response does not have it
 * @throws UpstreamError (`no_data`) if it is old, of the future, or of no known time
 */
export function assertCurrent(upstream: string, at: number, now: number): void {
  const [earliest, latest] = currentRange(now);
  if (at >= earliest && at <= latest) return;
  const what = Number.isNaN(at) ? 'has no time' : `is ${at < now ? 'old' : 'of the future'}`;
  throw new UpstreamError(upstream, 'no_data', `the weather ${what}`);
}

/** Whether an error means that the service has no good data for a point. */
export function hasNoData(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'no_data';
}
