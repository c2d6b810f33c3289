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
 * After a job that no worker took, one job in this time tries whether a worker is well again. Doubled:
 * after a worker is well again, replicas fetch for themselves for 10 s more.
 */
const TRIAL_MS = 10_000;
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
  let triedAt = -Infinity;
  const since = (then = Infinity) => clock.monotonic() - then;

  /** No job was left waiting since a worker ended a run last. */
  const isTrusted = () => stalledAt <= heard.workedAt;

  function areThere(): boolean {
    const { greetedAt, leftAt } = heard;
    if (greetedAt === undefined || greetedAt <= leftAt) return false;
    return since(greetedAt) < SILENCE_MS && (isTrusted() || since(triedAt) >= TRIAL_MS);
  }

  const drains = setInterval(() => {
    if (since(heard.greetedAt) > ABSENT_MS) jobs.drain().catch(() => undefined);
  }, ABSENT_MS);
  drains.unref();

  return {
    /** A worker has greeted lately, or may have, and it takes jobs, or has to show that it does. */
    get areThere() {
      return areThere();
    },
    /** A job was added for a worker. */
    hasJob() {
      triedAt = clock.monotonic();
    },
    /**
     * A job was not taken in time. Unless a worker has ended a run lately, and is only busy, none is
     * counted on until a run ends.
     * @returns whether this is news
     */
    leftWaiting(): boolean {
      const isBusy = areThere() && since(heard.workedAt) < PICK_UP_MS;
      if (isBusy || !isTrusted()) return false;
      stalledAt = clock.monotonic();
      return true;
    },
    close() {
      clearInterval(drains);
    },
  };
}
