import type { Clock } from '../../src/weather/types.js';

export type ManualClock = ReturnType<typeof manualClock>;

/** A clock that only the test advances. @param now its first time in Unix milliseconds */
export function manualClock(now = Date.now()) {
  let passed = 0;
  return {
    now: () => now + passed,
    monotonic: () => passed,
    advance(ms: number) {
      passed += ms;
    },
  };
}

/** The system clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
