import type { Clock } from '../../src/weather/types.js';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** @param now milliseconds since the epoch at which it starts */
export function manualClock(now = Date.now()): ManualClock {
  let passed = 0;
  return {
    now: () => now + passed,
    monotonic: () => passed,
    advance(ms) {
      passed += ms;
    },
  };
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
