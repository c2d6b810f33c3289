import type { Clock } from '../../src/weather/types.js';
import { createRandom } from './random.js';
import { SEED } from './seed.js';

/**
 * The time of the stub provider and of the service in tests that run both in this process: no hour
 * begins during a test. Each seed has another time: half of the seeds are within seconds of the end
 * of a special hour.
 */
export const TEST_TIME = (() => {
  const random = createRandom(SEED);
  const ends = [
    ...['2026-11-24T12:00Z', '2026-11-25T00:00Z', '2027-01-01T00:00Z', '2028-03-01T00:00Z'],
    // The clocks change in London, Oslo, Los Angeles, and Sydney.
    ...['2027-03-28T01:00Z', '2026-10-25T01:00Z', '2026-11-01T09:00Z', '2027-04-03T16:00Z'],
  ];
  // After all dates that tests name.
  const start = Date.parse('2028-04-01T00:00Z') / 1000;
  const seconds = random.chance(0.5)
    ? Date.parse(random.pick(ends)) / 1000 + random.between(-1, 1)
    : start + random.between(0, 3 * 365 * 86_400);
  return seconds * 1000;
})();

/** A clock that stands still, for time limits that no test waits for. */
export const fixedClock: Clock = { now: () => TEST_TIME, monotonic: () => performance.now() };
