import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError, Worker, type Job, type JobJson } from 'bullmq';
import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import { requestKey } from '../../weather/request.js';
import { withTimeLimit } from '../../weather/time-limit.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import { isReply } from '../client/refusals.js';
import type { RedisClient } from '../client/store.js';
import { QUEUE_NAME, QUEUE_PREFIX, readJob } from './jobs.js';
import type { FetchRecords } from './record.js';
import type { RunFetch } from './run.js';
import type { WorkerHealth } from './worker-health.js';

/** How often a worker that ends looks whether it has anything to wait for, in milliseconds. */
const IDLE_LOOK_MS = 100;

export interface FetchWorker {
  /** Takes no more jobs and finishes those that run, within `limitMs`. */
  drain(limitMs: number): Promise<void>;
  close(): void;
}

/**
 * Takes jobs from the queue and runs their fetches. A job is a ticket only: whether its fetch is
 * still wanted, and who runs it, is decided by the record.
 */
export function startFetchWorker(options: {
  client: RedisClient;
  records: FetchRecords;
  runFetch: RunFetch;
  /** Jobs at once. */
  concurrency: number;
  health: WorkerHealth;
  log: Logger;
  /** Gives up the fetches that run. */
  signal: AbortSignal;
}): FetchWorker {
  const { client, records, runFetch, concurrency, health, log, signal } = options;

  async function work(job: Job<unknown>): Promise<void> {
    const ticket = readJob(job.data);
    if (!ticket) {
      log.error({ event: 'fetch_job_malformed', job_id: job.id });
      return;
    }
    const { request, freshForMs } = ticket;
    const key = requestKey(request);
    const token = randomUUID();
    const question = { mode: 'take', fetchId: job.id ?? '', token, freshForMs } as const;
    const { state, fetchId, traceId } = await records.ask(key, question);
    if (state === 'none') log.info({ event: 'fetch_job_dropped', key });
    if (state === 'run') await runFetch(request, { fetchId, traceId, token }, signal);
  }

  let running = 0;

  const worker = new TolerantWorker(
    QUEUE_NAME,
    async (job) => {
      running += 1;
      try {
        await work(job);
      } catch (error) {
        // Those who wait were told of the first; of the second there is a record of its own.
        if (error instanceof ServiceUnavailableError) return;
        if (error instanceof StoreUnavailableError) return;
        throw error;
      } finally {
        running -= 1;
      }
    },
    {
      connection: client,
      prefix: QUEUE_PREFIX,
      concurrency,
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
      removeOnFail: { count: 0 },
    },
  );
  worker.on('stalled', (id) => {
    log.warn({ event: 'worker_stalled', job_id: id });
  });
  worker.on('failed', (job, error) => {
    // Workers died with a job again and again: there is a record of each time.
    if (signal.aborted || error instanceof UnrecoverableError) return;
    const ticket = readJob(job?.data);
    log.error({ event: 'fetch_job_failed', key: ticket && requestKey(ticket.request), err: error });
  });
  worker.on('error', (error) => {
    // Of lost connections the store of this process tells, and a lost job is run by a replica.
    if (isReply(error)) health.failed(error);
  });

  /** Takes no more jobs. Where nothing runs any more, BullMQ would wait for an unavailable Redis. */
  async function finish(within: AbortSignal): Promise<void> {
    let isClosed = false;
    const closed = worker.close().finally(() => {
      isClosed = true;
    });
    const isWaiting = () => !isClosed && !within.aborted;
    const idle = async () => {
      while (isWaiting() && (running > 0 || client.status === 'ready')) await sleep(IDLE_LOOK_MS);
    };
    await Promise.race([closed, idle()]);
  }

  return {
    async drain(limitMs) {
      // BullMQ's close has no limit of its own. What runs longer is given up afterwards.
      const late = () => new Error('Jobs still run');
      await withTimeLimit({ limitMs, late }, finish).catch(() => undefined);
    },
    close() {
      client.disconnect();
    },
  };
}

/** Data that is not JSON would be taken again and again, and never reach anybody. */
class TolerantWorker extends Worker<unknown> {
  protected override createJob(json: JobJson, id: string): Job<unknown> {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }
}
