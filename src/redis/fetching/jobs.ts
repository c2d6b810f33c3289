import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { ServiceUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Scope } from '../../weather/scope.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import type { GuardedStore } from '../client/guarded-store.js';
import type { LeasedFetch } from './leased-fetch.js';
import type { RedisClient } from '../client/store.js';

/** All of the queue's keys on one cluster node, as its scripts need it. */
const PREFIX = '{weather:queue}';
const QUEUE = 'fetches';

/** A job that nobody took for so long has no waiter any more: each fetched by itself after 2 s. */
const JOB_LIFE_MS = 15_000;
/** Nobody reads the queue's events. */
const MAX_EVENTS = 100;
/** More than the providers' caps let through, so that waiting for one provider holds up no other. */
const WORKER_CONCURRENCY = 64;

export interface FetchJob {
  request: FetchRequest;
  /** Redis's time at which it was asked for, in Unix milliseconds. */
  requestedAt: number;
  /** An entry that is fresh for longer than this is left as it is. */
  staleAfterMs: number;
}

export interface FetchJobs {
  /**
   * Adds a job unless one for the same key waits or runs.
   * @returns the id of the job that serves the key, and whether it is a new one
   * @throws StoreUnavailableError
   */
  add(
    request: FetchRequest,
    staleAfterMs: number,
    scope?: Scope,
  ): Promise<{ id: string; added: boolean }>;
  /** Takes back a job that nobody has taken up. @throws StoreUnavailableError */
  remove(id: string): Promise<void>;
  /** Jobs that wait, and the age of the oldest in milliseconds. @throws StoreUnavailableError */
  backlog(): Promise<{ waiting: number; oldestMs: number }>;
}

export function createFetchJobs(store: GuardedStore): FetchJobs {
  const queue = new Queue<FetchJob>(QUEUE, {
    connection: store.client,
    prefix: PREFIX,
    // Both, or the queue is unusable for ever when Redis comes later than this process.
    skipWaitingForReady: true,
    skipVersionCheck: true,
    // Written below: the library writes them once, at a time when there is no connection yet.
    skipMetasUpdate: true,
    defaultJobOptions: {
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: { age: 3600, count: 100 },
    },
  });
  // Connection errors are the store's to report.
  queue.on('error', () => undefined);
  // The scripts read from it how many events to keep; without it 10,000.
  store.client.on('ready', () => {
    const meta = queue.toKey('meta');
    store
      .run(PREFIX, (redis) => redis.hset(meta, 'opts.maxLenEvents', MAX_EVENTS))
      .catch(() => undefined);
  });

  return {
    async add(request, staleAfterMs, scope) {
      const jobId = randomUUID();
      const data: FetchJob = { request, requestedAt: store.now(), staleAfterMs };
      const job = await store.run(
        PREFIX,
        () => queue.add('fetch', data, { jobId, deduplication: { id: requestKey(request) } }),
        scope,
      );
      return { id: job.id ?? jobId, added: job.id === jobId };
    },
    async remove(id) {
      await store.run(PREFIX, () => queue.remove(id));
    },
    async backlog() {
      const [waiting, [oldest]] = await store.run(PREFIX, () =>
        Promise.all([queue.getWaitingCount(), queue.getWaiting(0, 0)]),
      );
      const oldestMs = oldest ? Math.max(0, store.now() - oldest.data.requestedAt) : 0;
      return { waiting, oldestMs };
    },
  };
}

export interface FetchWorker {
  /** Takes no more jobs and waits for those that run, at most `limitMs`. */
  close(limitMs: number): Promise<void>;
}

/** Takes jobs from the queue and fetches. */
export function startFetchWorker(options: {
  client: RedisClient;
  store: GuardedStore;
  fetch: LeasedFetch;
  log: Logger;
  /** Aborts the fetches that run. */
  signal: AbortSignal;
}): FetchWorker {
  const { client, store, fetch, log, signal } = options;

  const worker = new Worker<FetchJob, string>(
    QUEUE,
    async (job) => {
      const { request, requestedAt, staleAfterMs } = job.data;
      if (store.now() - requestedAt > JOB_LIFE_MS) {
        log.info({ event: 'fetch_job_dropped', key: requestKey(request) });
        return 'too_old';
      }
      try {
        return (await fetch(request, signal, { cause: job.id, staleAfterMs }))
          ? 'fetched'
          : 'taken';
      } catch (error) {
        // The waiters know of it; the job has done what it could.
        if (error instanceof ServiceUnavailableError) return 'failed';
        throw error;
      }
    },
    {
      connection: client,
      prefix: PREFIX,
      concurrency: WORKER_CONCURRENCY,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      // Seconds that it blocks for when there is nothing to do.
      drainDelay: MAX_SILENCE_MS / 1000,
      // A killed worker's jobs come back within seconds.
      lockDuration: 5000,
      stalledInterval: 5000,
      maxStalledCount: 1,
      // The default leaves a worker idle for 15 s after each loss of its connection.
      runRetryDelay: 1000,
      removeOnComplete: { count: 0 },
      removeOnFail: { age: 3600, count: 100 },
    },
  );
  worker.on('stalled', (id) => {
    log.warn({ event: 'worker_stalled', job_id: id });
  });
  worker.on('failed', (job, error) => {
    if (signal.aborted) return;
    log.error({ event: 'fetch_job_failed', key: job && requestKey(job.data.request), err: error });
  });
  worker.on('error', () => undefined);

  return {
    async close(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      // BullMQ's close has no limit of its own.
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([worker.close().catch(() => undefined), limit]);
      clearTimeout(timer);
      client.disconnect();
    },
  };
}
