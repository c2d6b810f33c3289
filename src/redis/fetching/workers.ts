import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import type { Announcements } from './announcements.js';
import type { FetchJobs } from './jobs.js';
import { INTEREST_MS, PICK_UP_MS } from './record.js';

/**
 * The silence of workers is counted in ticks of this many milliseconds: a process that stood still takes
 * nobody for absent when it goes on. Doubled: nothing that a user sees, only coarser limits.
 */
const TICK_MS = 500;
/** A worker is dead that was silent for as long as a job may wait to be picked up. */
const SILENT_TICKS = PICK_UP_MS / TICK_MS;
/** Without any worker for so many ticks, jobs are removed: the records of their fetches have ended. */
const ABSENT_TICKS = INTEREST_MS / TICK_MS;

/** A script: in a cluster a bare PUBLISH goes to any node, also to one that hangs. */
const GREET = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

export type Greet = ReturnType<typeof createGreet>;

/**
 * Tells every process that a worker is here, or that it takes no more jobs.
 * @throws StoreUnavailableError
 */
export function createGreet(store: RedisStore, names: Names) {
  const greet = store.script('weatherGreet', GREET);
  return (worker: 'here' | 'leaving') => greet([names.announcements], [JSON.stringify({ worker })]);
}

export type Workers = ReturnType<typeof watchWorkers>;

/** Knows whether this process can leave a fetch to a worker: whoever greets takes jobs. */
export function watchWorkers(options: {
  announcements: Pick<Announcements, 'onWorkers'>;
  jobs: Pick<FetchJobs, 'drain'>;
}) {
  const { announcements, jobs } = options;
  /** Infinity: it would not hear of a worker. */
  let silentTicks = Infinity;

  announcements.onWorkers((heard) => {
    if (heard === 'here') silentTicks = 0;
    else if (heard === 'nothing') silentTicks = Infinity;
    // It left, or none has greeted since messages began to arrive.
    else silentTicks = SILENT_TICKS;
  });

  const ticks = setInterval(() => {
    silentTicks += 1;
    // Once an absence.
    if (silentTicks !== ABSENT_TICKS) return;
    jobs.drain().catch(() => {
      if (silentTicks === ABSENT_TICKS) silentTicks -= 1;
    });
  }, TICK_MS);
  ticks.unref();

  return {
    /** A worker has greeted lately. */
    get areThere() {
      return silentTicks < SILENT_TICKS;
    },
    close() {
      clearInterval(ticks);
    },
  };
}
