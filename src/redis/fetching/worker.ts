import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError, Worker, type Job, type JobJson } from 'bullmq';
import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { WorkerProcess } from '../../stores.js';
import { requestKey } from '../../weather/request.js';
import { withTimeLimit } from '../../weather/time-limit.js';
import type { Clock } from '../../weather/types.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import { stateBy, isReply } from '../client/errors.js';
import type { RedisClient } from '../client/store.js';
import type { Names } from '../names.js';
import { QUEUE_NAME, readJob } from './jobs.js';
import type { FetchRecords } from './record.js';
import type { RunFetch } from './run.js';
import { GREETING_MS, type Greet } from './workers.js';

/** How often an ending worker checks for work. Doubled: a shutdown takes 0.1 s longer. */
const IDLE_CHECK_MS = 100;
/** A wait for a job that takes so much longer than it may is lost. Doubled: jobs are taken 5 s later. */
const LOST_WAIT_MS = 5000;
/** After an error that Redis answered it is unwell for so long. Doubled: replicas fetch longer. */
const UNWELL_MS = 10_000;

export interface FetchWorker extends WorkerProcess {
  /** Takes no more jobs and finishes those that run, within `limitMs`. */
  drain(limitMs: number): Promise<void>;
  close(): void;
}

/**
 * Takes jobs from the queue and runs their fetches. A job is only a notice: the record decides
 * whether its fetch is still wanted, and who runs it.
 */
export function startFetchWorker(options: {
  client: RedisClient;
  names: Names;
  records: FetchRecords;
  runFetch: RunFetch;
  greet: Greet;
  /** Jobs at once. */
  concurrency: number;
  clock: Clock;
  log: Logger;
  /** Gives up the fetches that run. */
  signal: AbortSignal;
}): FetchWorker {
  const { client, names, records, runFetch, greet, concurrency, clock, log, signal } = options;

  async function work({ id, data }: Job<unknown>): Promise<void> {
    const job = readJob(data);
    if (!job) {
      log.error({ event: 'fetch_job_malformed', job_id: id });
      return;
    }
    const { request, freshForMs, traceId } = job;
    const key = requestKey(request);
    const question = { newId: undefined, runAfterMs: 0, freshForMs };
    const { state, fetchId } = await records.ask(key, question);
    if (state === 'none' || state === 'failed') log.info({ event: 'fetch_job_dropped', key });
    if (state === 'run') await runFetch(request, { fetchId, traceId }, signal);
  }

  let running = 0;

  const worker = new TolerantWorker(
    QUEUE_NAME,
    async (job) => {
      running += 1;
      try {
        await work(job);
      } catch (error) {
        // Waiters were told of a failed fetch, and the log has a record of an unavailable store.
        const isTold =
          error instanceof ServiceUnavailableError || error instanceof StoreUnavailableError;
        if (!isTold) throw error;
      } finally {
        running -= 1;
      }
    },
    {
      connection: client,
      prefix: names.queue,
      concurrency,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      // Seconds that it blocks for when there is nothing to do.
      drainDelay: MAX_SILENCE_MS / 1000,
      // A killed worker's jobs come back within seconds. Doubled: 5 s later.
      lockDuration: 5000,
      stalledInterval: 5000,
      maxStalledCount: 1,
      // The default leaves a worker idle for 15 s after each loss of its connection. Doubled: 2 s.
      runRetryDelay: 1000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('stalled', (id) => {
    log.warn({ event: 'worker_stalled', job_id: id });
  });
  worker.on('failed', (failedJob, error) => {
    // The job was lost with its worker more than once: the log has a record of each time.
    if (signal.aborted || error instanceof UnrecoverableError) return;
    const job = readJob(failedJob?.data);
    log.error({ event: 'fetch_job_failed', key: job && requestKey(job.request), err: error });
  });

  let failedAt = -Infinity;
  const isWell = () => clock.monotonic() - failedAt > UNWELL_MS;
  worker.on('error', (error) => {
    // The store of this process reports lost connections and refused writes.
    if (!isReply(error) || stateBy(error)) return;
    if (isWell()) log.error({ event: 'worker_failing', err: error });
    failedAt = clock.monotonic();
  });

  /** Replicas leave fetches to a worker that greets: one that can take them. */
  const greetIfWell = () => {
    if (isWell() && client.status === 'ready') greet('here').catch(() => undefined);
  };
  const greetings = setInterval(greetIfWell, GREETING_MS);
  greetings.unref();
  client.on('ready', greetIfWell);

  function stopGreeting(): void {
    clearInterval(greetings);
    client.off('ready', greetIfWell);
  }

  /** While Redis is unavailable, BullMQ's close would wait for it also when nothing runs. */
  async function untilIdle(limited: AbortSignal): Promise<void> {
    const mayWait = () => !limited.aborted && client.status !== 'end';
    while (mayWait() && (running > 0 || client.status === 'ready')) await sleep(IDLE_CHECK_MS);
  }

  return {
    isWell,
    async drain(limitMs) {
      stopGreeting();
      greet('leaving').catch(() => undefined);
      // BullMQ's close has no limit of its own. What runs longer is given up afterwards.
      const late = () => new Error('Jobs still run');
      const finish = (limited: AbortSignal) => Promise.race([worker.close(), untilIdle(limited)]);
      await withTimeLimit({ limitMs, late }, finish).catch(() => undefined);
    },
    close() {
      stopGreeting();
      client.disconnect();
    },
  };
}

/** A worker that outlives what BullMQ 6.7 does not. */
class TolerantWorker extends Worker<unknown> {
  /**
   * In a cluster whose connections were cut, the library's wait for the next job can last for ever:
   * it waits without a limit for the end of a connection that is gone.
   */
  protected override createBackend(): void {
    super.createBackend();
    const { backend } = this;
    const wait = backend.waitForJob.bind(backend);
    const lost = new Error('The wait for a job was lost');
    backend.waitForJob = async (seconds) => {
      const limitMs = seconds * 1000 + LOST_WAIT_MS;
      try {
        return await withTimeLimit({ limitMs, late: () => lost }, () => wait(seconds));
      } catch (error) {
        if (error !== lost) throw error;
        return null;
      }
    };
  }

  /** Data that is not JSON would be taken again and again, and never reach anybody. */
  protected override createJob(json: JobJson, id: string): Job<unknown> {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }
}
