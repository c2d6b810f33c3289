import type { Clock } from '../../weather/types.js';

/** Maximum drift between two clocks, in milliseconds per millisecond. */
const MAX_DRIFT = 0.0001;

/** A reply with the time of Redis. */
export interface TimeReply {
  /** The clock of Redis in milliseconds since the Unix epoch. */
  redisMs: number;
  /** When the command was sent and when its reply was read, in milliseconds of the monotonic clock. */
  sentAt: number;
  receivedAt: number;
}

/**
 * Estimates the clock of Redis. Redis read its clock after the command was sent and before the reply was
 * read, so each reply bounds the estimate from both sides. The bounds of several replies together are
 * closer than those of a single one, which is off by half of any delay.
 */
export function createClockEstimate(clock: Clock) {
  /** Bounds of the difference between the clock of Redis and the monotonic clock, in milliseconds. */
  let [low, high] = [-Infinity, Infinity];
  let observedAt = -Infinity;

  return {
    observe({ redisMs, sentAt, receivedAt }: TimeReply): void {
      const driftMs = (receivedAt - observedAt) * MAX_DRIFT;
      const [from, to] = [redisMs - receivedAt, redisMs - sentAt];
      low = Math.max(low - driftMs, from);
      high = Math.min(high + driftMs, to);
      observedAt = receivedAt;
      // The bounds contradict each other: the clock of Redis was set, or another server replied.
      if (low > high) [low, high] = [from, to];
    },
    /** The clock of Redis in milliseconds since the Unix epoch; before the first reply, that of this process. */
    now: (): number => (low === -Infinity ? clock.now() : clock.monotonic() + (low + high) / 2),
  };
}
