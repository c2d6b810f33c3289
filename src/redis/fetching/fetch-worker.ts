import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type Job } from 'bullmq';
import { ExpectedError } from '../../base/errors.js';
import type { RunningWorker } from '../../store.js';
import { keyOf, type AnyKind } from '../../weather/kinds/kind.js';
import { connect, type RedisClient } from '../client/connection.js';
import { isFaultOfCode } from '../client/redis-errors.js';
import { JOB_LOCK_MS, PATIENT_MS, STALLED_MS, WORKER_CHECK_MS } from '../client/timing.js';
import { QUEUE_NAME, QUEUE_OPTIONS, readJob, type FetchJob } from './job-queue.js';
import type { FetchEnd } from './fetch-messages.js';
import type { FetchingParts } from './fetching-parts.js';

/** The number of consecutive checks with a rejected command after which a worker is unhealthy. */
const MAX_REJECTED = 3;

/** Runs fetch jobs while Redis and a provider are available, until the process drains. */
export function startFetchWorker(parts: FetchingParts): RunningWorker {
  const { address, redis, log, slots, lifecycle } = parts;
  const jobs = createJobProcessor(parts);
  let rejections = 0;
  let wasRejected: Error | undefined;
  let hadOutage = false;
  let current = takeJobs();

  /** Starts a worker of BullMQ, which duplicates its connection for blocking commands. */
  function takeJobs() {
    const client = connect(address, 'worker');
    const worker = createWorker(client, parts, jobs);
    worker.on('error', (error) => {
      redis.report(error);
      // Its replies may be out of step: another worker gets new connections.
      if (isFaultOfCode(error)) hadOutage = true;
      // A paused worker still renews the locks of its jobs: errors of that do not count.
      if (error.name !== 'ReplyError' || worker.isPaused()) return;
      // BullMQ would send the command again at once.
      void worker.pause(true);
      wasRejected = error;
    });
    return { client, worker };
  }

  /** Ends a worker. Its fetches continue, and publish their entries. */
  function end({ client, worker }: typeof current): void {
    worker.close(true).catch(redis.report);
    client.disconnect();
  }

  async function check(): Promise<void> {
    if (!redis.isWritable()) {
      // The health check reports the outage. The worker is not the cause.
      [rejections, wasRejected] = [0, undefined];
      hadOutage = true;
      await current.worker.pause(true);
    } else if (hadOutage) {
      // In a cluster, BullMQ's connections may never leave a node that hung. A new worker has new
      // ones. Remove this when https://github.com/taskforcesh/bullmq/issues/4138 is resolved.
      hadOutage = false;
      end(current);
      current = takeJobs();
    } else {
      rejections = wasRejected ? rejections + 1 : 0;
      if (rejections === MAX_REJECTED) log.error({ event: 'worker_failing', err: wasRejected });
      wasRejected = undefined;
      if (!jobs.canRun()) await current.worker.pause(true);
      else if (current.worker.isPaused()) await current.worker.resume();
    }
  }
  const timer = setInterval(() => void check().catch(redis.report), WORKER_CHECK_MS);
  lifecycle.onDrain(async (limitMs) => {
    clearInterval(timer);
    // While Redis is unavailable, no result can be stored.
    const closeMs = redis.isWritable() ? limitMs : PATIENT_MS;
    const ended = Promise.all([current.worker.close(), slots.whenEnded()]);
    await Promise.race([ended, sleep(closeMs)]);
  });
  lifecycle.onClose(() => {
    clearInterval(timer);
    end(current);
  });
  return { isHealthy: () => rejections < MAX_REJECTED };
}

function createWorker(client: RedisClient, parts: FetchingParts, jobs: JobProcessor): Worker {
  const { redis, names, kinds, entries, slots } = parts;
  const worker = new Worker(QUEUE_NAME, (job) => slots.take(() => jobs.run(job)), {
    connection: client,
    prefix: names.queue,
    concurrency: slots.count,
    ...QUEUE_OPTIONS,
    // Seconds after which a worker finds a job whose marker Redis has lost.
    drainDelay: 1,
    runRetryDelay: WORKER_CHECK_MS,
    // The jobs of a worker that has died are started again within 5 s.
    lockDuration: JOB_LOCK_MS,
    stalledInterval: STALLED_MS,
  });
  // BullMQ has removed the job by now: a request that misses the message adds a new job.
  worker.on('failed', (failed, failure) => {
    if (!jobs.canRun()) void worker.pause(true);
    const job = readJob(kinds, failed?.data);
    if (!job) return;
    const { kind, request, fetchId } = job;
    const end: FetchEnd =
      failure instanceof DroppedError
        ? { fetchId, outcome: 'dropped' }
        : { fetchId, outcome: 'failed', result: { failure } };
    entries.finish(keyOf(kind, request), end).catch(redis.report);
  });
  return worker;
}

/** A job was not run. */
class DroppedError extends ExpectedError {}

type JobProcessor = ReturnType<typeof createJobProcessor>;

export function createJobProcessor(parts: FetchingParts) {
  const { kinds, clock, log, config, entries, fetcher, availability } = parts;
  const { ending } = parts.lifecycle;
  const { queuedMs, wholeMs } = config.waits;
  let isTrying = false;

  async function fetchAndStore(
    job: FetchJob<unknown>,
    ageMs: number,
    isRefresh: boolean,
  ): Promise<void> {
    const { kind, request, fetchId, freshForMs, traceId } = job;
    // No request waits for a refresh. The others have left by then.
    const deadline = freshForMs > 0 ? Infinity : clock.monotonic() + wholeMs - ageMs;
    const scope = { signal: ending, deadline, trace: { fetchId, traceId }, isRefresh };
    const entry = await fetcher(kind, request, scope);
    const end = { fetchId: entry.fetchId, outcome: 'stored', result: { entry } } as const;
    await entries.finish(keyOf(kind, request), end);
  }

  /**
   * Makes calls that decide whether this process reaches a provider again, one job at a time. No
   * request waits for them: swallowed packets would cost a request every provider's time limit.
   */
  function tryAgain(kind: AnyKind, fetchNow: () => Promise<void>): void {
    if (isTrying || availability(kind) === 'none') return;
    isTrying = true;
    // The fetch logs its failure.
    void fetchNow()
      .catch(() => undefined)
      .finally(() => (isTrying = false));
  }

  return {
    /** Whether this process should take jobs: it reaches a provider, or should try again. */
    canRun: () => availability() === 'good' || (availability() === 'doubtful' && !isTrying),
    /** Runs a job. @throws what the fetcher throws; DroppedError; StoreUnavailableError */
    async run({ data, timestamp }: Pick<Job<unknown>, 'data' | 'timestamp'>): Promise<void> {
      const job = readJob(kinds, data);
      if (!job) {
        log.info({ event: 'fetch_job_dropped', reason: 'invalid' });
        return;
      }
      const { kind, request, fetchId, freshForMs } = job;
      const key = keyOf(kind, request);
      const { entry, redisMs } = await entries.read(kind, key, PATIENT_MS);
      const ageMs = redisMs - timestamp;
      const isRefresh = entry !== undefined;
      if (entries.isFresh(entry, freshForMs)) return;
      const isGood = availability(kind) === 'good';
      const fetchNow = () => fetchAndStore(job, ageMs, isRefresh);
      if (isGood && ageMs <= queuedMs) {
        await fetchNow();
        return;
      }
      const reason = isGood ? 'expired' : 'no_provider';
      log.info({ event: 'fetch_job_dropped', reason, key, fetch_id: fetchId });
      if (!isGood) tryAgain(kind, fetchNow);
      throw new DroppedError(reason);
    },
  };
}
