import type { Clock } from '../../weather/types.js';

export type Slots = ReturnType<typeof createSlots>;

/**
 * Counts the jobs that this process runs. While all slots are taken, a job may wait although
 * workers take jobs. A process without a worker always has a free slot.
 */
export function createSlots(count: number, clock: Pick<Clock, 'monotonic'>) {
  const running = new Set<Promise<unknown>>();
  let freeSince = -Infinity;
  return {
    count,
    /** Takes a slot while `run` runs. */
    take<T>(run: () => Promise<T>): Promise<T> {
      const job = run().finally(() => {
        if (running.size === count) freeSince = clock.monotonic();
        running.delete(job);
      });
      running.add(job);
      return job;
    },
    /** Less than 0 if all slots are taken. */
    freeForMs: () => (running.size < count ? clock.monotonic() - freeSince : -1),
    /** Resolves when the jobs that run now have ended. */
    whenEnded: () => Promise.allSettled(running),
  };
}
