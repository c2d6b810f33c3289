import type { Clock } from '../../weather/types.js';
import type { Announcements } from './announcements.js';
import type { FetchJobs } from './jobs.js';
import { PICK_UP_MS } from './record.js';

/** A worker greets this often. Doubled: replicas fetch for 2 s when one of several leaves. */
export const GREETING_MS = 1000;
/** A worker that was silent for so long is dead. Doubled: cold places wait for it 2 s longer. */
const SILENCE_MS = 2000;
/** Without any worker for so long, jobs are removed. Doubled: they take space in Redis longer. */
const ABSENT_MS = 15_000;

/** Whether this process can leave a fetch to a worker. */
export interface Workers {
  /** A worker has greeted lately, or may have, and none has left a job of this process waiting. */
  readonly areThere: boolean;
  /**
   * A job was not taken in time. Unless a worker has ended a run lately, and is only busy, none is
   * counted on until that job is taken.
   * @returns whether this is news
   */
  leftWaiting(fetchId: string): boolean;
  close(): void;
}

export function watchWorkers(options: {
  announcements: Pick<Announcements, 'greetedAt' | 'leftAt' | 'workedAt'>;
  jobs: Pick<FetchJobs, 'exists' | 'drain'>;
  clock: Clock;
}): Workers {
  const { announcements, jobs, clock } = options;
  /** The fetch of the job that was left waiting. */
  let leftJob: string | undefined;
  let isDrained = false;

  const looks = setInterval(() => {
    look().catch(() => undefined);
  }, GREETING_MS);
  looks.unref();

  async function look(): Promise<void> {
    if (leftJob !== undefined && !(await jobs.exists(leftJob))) leftJob = undefined;
    const areAbsent = clock.monotonic() - (announcements.greetedAt ?? Infinity) > ABSENT_MS;
    if (areAbsent && !isDrained) await jobs.drain();
    isDrained = areAbsent;
  }

  function areThere(): boolean {
    const { greetedAt = -Infinity, leftAt } = announcements;
    const isHeard = greetedAt > leftAt && clock.monotonic() - greetedAt < SILENCE_MS;
    return isHeard && leftJob === undefined;
  }

  return {
    get areThere() {
      return areThere();
    },
    leftWaiting(fetchId) {
      const isBusy = areThere() && clock.monotonic() - announcements.workedAt < PICK_UP_MS;
      if (isBusy || leftJob !== undefined) return false;
      leftJob = fetchId;
      return true;
    },
    close() {
      clearInterval(looks);
    },
  };
}
