import type { Clock } from '../../weather/types.js';
import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import type { Announcements } from './announcements.js';
import type { FetchJobs } from './jobs.js';
import { PICK_UP_MS } from './record.js';

/** A worker greets this often. Doubled: replicas fetch for 2 s when one of several leaves. */
export const GREETING_MS = 1000;
/** A worker that was silent for so long is dead. Doubled: cold places wait for it 2 s longer. */
const SILENCE_MS = 2000;
/**
 * After a job that no worker took, none is counted on for so long. Doubled: beside a worker that
 * greets and takes nothing, a cold place waits 2 s each 20 s instead of each 10 s.
 */
const STALLED_MS = 10_000;
/** Without any worker for so long, jobs are removed. Doubled: they take space in Redis longer. */
const ABSENT_MS = 15_000;

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

/** Knows whether this process can leave a fetch to a worker. */
export function watchWorkers(options: {
  heard: Announcements['heard'];
  jobs: Pick<FetchJobs, 'drain'>;
  clock: Clock;
}) {
  const { heard, jobs, clock } = options;
  let stalledAt = -Infinity;
  const since = (then = Infinity) => clock.monotonic() - then;

  function areThere(): boolean {
    const { greetedAt, leftAt } = heard;
    if (greetedAt === undefined || greetedAt <= leftAt) return false;
    return since(greetedAt) < SILENCE_MS && since(stalledAt) >= STALLED_MS;
  }

  const drains = setInterval(() => {
    if (since(heard.greetedAt) > ABSENT_MS) jobs.drain().catch(() => undefined);
  }, ABSENT_MS);
  drains.unref();

  return {
    /** A worker has greeted lately, or may have, and none has left a job waiting lately. */
    get areThere() {
      return areThere();
    },
    /**
     * A job was not taken in time. Unless a worker has ended a run lately, and is only busy, none is
     * counted on for a while.
     * @returns whether this is news
     */
    leftWaiting(): boolean {
      const isBusy = areThere() && since(heard.workedAt) < PICK_UP_MS;
      if (isBusy || since(stalledAt) < STALLED_MS) return false;
      stalledAt = clock.monotonic();
      return true;
    },
    close() {
      clearInterval(drains);
    },
  };
}
