import type { Clock } from '../../src/weather/types.js';

/** A clock that only the test advances. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** @param now its first time in Unix milliseconds */
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

/** The system clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
