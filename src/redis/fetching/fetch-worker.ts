import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type Job } from 'bullmq';
import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import { keyOf } from '../../weather/kind.js';
import type { RedisClient } from '../client/port.js';
import { HEARTBEAT_TTL_MS, QUEUE_NAME, readJob } from './fetch-jobs.js';
import type { FetchRunner } from './fetch-runner.js';
import type { Parts } from './index.js';

/** Milliseconds between two heartbeats, and between two attempts to take jobs after an error. */
const HEARTBEAT_MS = 500;
/** The number of errors in a row after which a worker is unhealthy. */
const MAX_ERRORS = 3;
/** Milliseconds for BullMQ to close a worker without jobs. While Redis is unavailable, it does not do so. */
const CLOSE_MS = 1000;

/** Runs fetch jobs, and writes the heartbeat while it can take them. */
export function startFetchWorker(client: RedisClient, runner: FetchRunner, parts: Parts) {
  const { store, names, kinds, log, signal, maxRuns, maxJobAgeMs } = parts;
  const running = new Set<Promise<void>>();
  let errors = 0;

  async function run({ data, timestamp }: Job<unknown>): Promise<void> {
    const job = readJob(kinds, data);
    const key = job && keyOf(job.kind, job.request);
    let dropped: string | undefined;
    try {
      if (!job) dropped = 'invalid';
      else if (store.now() - timestamp > maxJobAgeMs) dropped = 'expired';
      else await runner.run(job, { fetchId: randomUUID() });
    } catch (error) {
      if (error instanceof StoreUnavailableError) dropped = 'redis_unavailable';
      // The fetcher logs its failures.
      else if (!signal.aborted && !(error instanceof ServiceUnavailableError)) {
        log.error({ event: 'fetch_job_failed', key, err: error });
      }
    }
    if (dropped !== undefined) log.info({ event: 'fetch_job_dropped', key, reason: dropped });
    await runner.settled();
  }
  function process(job: Job<unknown>): Promise<void> {
    const done = run(job).finally(() => running.delete(done));
    running.add(done);
    return done;
  }

  const worker = new Worker(QUEUE_NAME, process, {
    ...{ connection: client, prefix: names.queue, concurrency: maxRuns },
    ...{ skipVersionCheck: true, skipWaitingForReady: true },
    // Seconds of one wait for a job. If Redis loses the sign of a new job, it is found after this time.
    drainDelay: 1,
    runRetryDelay: HEARTBEAT_MS,
    // The jobs of a worker that has died are started again after at most 5 s.
    ...{ lockDuration: 3000, stalledInterval: 2000, maxStalledCount: 1 },
    ...{ removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
  });
  worker.on('error', (error) => {
    // The store reports lost connections.
    if (error.name !== 'ReplyError') return;
    // BullMQ would send the command again at once.
    void worker.pause(true);
    errors += 1;
    if (errors === MAX_ERRORS) log.error({ event: 'worker_failing', err: error });
  });

  async function beat(): Promise<void> {
    if (!store.isWritable(names.queue)) await worker.pause(true);
    else if (worker.isPaused()) await worker.resume();
    else {
      errors = 0;
      await client.set(names.heartbeat, '', 'PX', HEARTBEAT_TTL_MS);
    }
  }
  const timer = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS);

  return {
    isHealthy: () => errors < MAX_ERRORS,
    /** Takes no more jobs, and waits up to `limitMs` for those that run. */
    async drain(limitMs: number): Promise<void> {
      clearInterval(timer);
      // Other workers write it again.
      client.del(names.heartbeat).catch(() => undefined);
      const isIdle = sleep(CLOSE_MS).then(() => Promise.all(running));
      await Promise.race([worker.close(), isIdle, sleep(limitMs)]);
    },
    close(): void {
      clearInterval(timer);
      worker.close(true).catch(() => undefined);
      client.disconnect();
    },
  };
}
