import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import type { createJobProcessor } from '../../src/redis/fetching/fetch-worker.js';
import type { FetchJob, JobQueue } from '../../src/redis/fetching/job-queue.js';
import { keyOf } from '../../src/weather/kinds/kind.js';
import type { VirtualTime } from './virtual-time.js';

/** Milliseconds until BullMQ restarts a dead worker's job, by options in `src/redis/fetching`. */
const STALLED_MS = 5000;
/** TTL in milliseconds of the lock of a worker, or of a process that has removed a job. */
const JOB_LOCK_MS = 3000;
/** Jobs that a worker runs at the same time. */
export const SLOTS = 2;

interface Worker {
  process: ReturnType<typeof createJobProcessor>['run'];
  running: number;
  diedAt: number;
}

interface Job {
  data: unknown;
  timestamp: number;
  runBy?: Worker;
}

/**
 * Simulates the part of BullMQ that `src/redis/fetching` needs, in virtual time: a key has one job,
 * a running job is not removed, a dead worker's job restarts. BullMQ itself measures real time.
 */
export function createJobQueue(time: VirtualTime) {
  const jobs = new Map<string, Job>();
  const workers: Worker[] = [];
  /** Until when a job is locked by the process that has taken it over. */
  const taken = new Map<string, { until: number; token: string }>();
  /** Whether the workers take no jobs. */
  let isPaused = false;

  const isAlive = (worker: Worker) => time.now < worker.diedAt;

  function startJobs(): void {
    if (isPaused) return;
    for (const [key, job] of jobs) {
      if (taken.has(key)) continue;
      const worker = workers.find((each) => isAlive(each) && each.running < SLOTS);
      if (worker && !job.runBy) void run(key, job, worker);
    }
  }

  async function run(key: string, job: Job, worker: Worker): Promise<void> {
    job.runBy = worker;
    worker.running += 1;
    await worker.process(job as never).catch(() => undefined);
    worker.running -= 1;
    if (job.runBy === worker && isAlive(worker)) jobs.delete(key);
    startJobs();
  }

  return {
    pause: () => {
      isPaused = true;
    },
    addWorker(process: Worker['process']): Worker {
      const worker = { process, running: 0, diedAt: Infinity };
      workers.push(worker);
      return worker;
    },
    /** Ends a worker. */
    kill(worker: Worker): void {
      worker.diedAt = time.now;
      time.after(STALLED_MS, () => {
        for (const job of jobs.values()) if (job.runBy === worker) delete job.runBy;
        startJobs();
      });
    },
    /** The queue as a process uses it, over its connection to Redis. */
    connect(redis: GuardedRedis): JobQueue {
      const send = <T>(run: () => T) => redis.command(() => Promise.resolve(run()));
      return {
        add({ kind, request, ...rest }: FetchJob<unknown>, timestamp) {
          const key = keyOf(kind, request);
          const job = { data: { kind: kind.name, request, ...rest }, timestamp };
          return send(() => {
            if (!jobs.has(key)) jobs.set(key, { ...job });
            startJobs();
          });
        },
        exists: (key) => send(() => jobs.has(key)),
        take(key, token) {
          return send(() => {
            const job = jobs.get(key);
            if (!job) return 'missing';
            const lockedUntil = job.runBy ? job.runBy.diedAt + JOB_LOCK_MS : taken.get(key)?.until;
            if (time.now < (lockedUntil ?? 0)) return 'running';
            const state = job.runBy || taken.has(key) ? 'stalled' : 'waiting';
            delete job.runBy;
            taken.set(key, { until: time.now + JOB_LOCK_MS, token });
            return state;
          });
        },
        end(key, token) {
          return send(() => {
            if (taken.get(key)?.token !== token) return;
            taken.delete(key);
            jobs.delete(key);
          });
        },
        keepLock(key) {
          return send(() => {
            const lock = taken.get(key);
            if (lock) lock.until = time.now + JOB_LOCK_MS;
          });
        },
        backlog: () => Promise.resolve({ waiting: 0, oldestMs: 0 }),
      };
    },
  };
}
