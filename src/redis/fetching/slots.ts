import type { Clock } from '../../weather/types.js';

export type Slots = ReturnType<typeof createSlots>;

/**
 * Counts the jobs that the worker of this process runs. While all slots are taken, a job may wait although workers take
 * jobs. A process without a worker always has a free slot.
 */
export function createSlots(count: number, clock: Pick<Clock, 'monotonic'>) {
  let taken = 0;
  let freeSince = -Infinity;
  return {
    count,
    /** Takes a slot while `run` runs. */
    async take<T>(run: () => Promise<T>): Promise<T> {
      taken += 1;
      if (taken === count) freeSince = Infinity;
      try {
        return await run();
      } finally {
        if (taken === count) freeSince = clock.monotonic();
        taken -= 1;
      }
    },
    /** Milliseconds for which a slot has been free; less than 0 if all are taken. */
    freeForMs: () => clock.monotonic() - freeSince,
  };
}
