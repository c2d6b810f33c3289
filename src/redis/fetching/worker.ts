import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { ifUnavailable, ServiceUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import { requestKey } from '../../weather/request.js';
import { STORE_TIME_MS } from '../../weather/scope.js';
import { withTimeLimit } from '../../time-limit.js';
import type { Clock } from '../../weather/types.js';
import { isReply, missingRule, stateBy } from '../client/errors.js';
import type { RedisClient, RedisStore } from '../client/store.js';
import { RETRY_MS } from '../client/waits.js';
import type { Names } from '../names.js';
import { JobTaker, ROUND_MS } from './job-taker.js';
import { readJob, type FetchJob } from './jobs.js';
import { insisting, PICK_UP_MS, type FetchRecords, type Found } from './record.js';
import type { RunFetch } from './run.js';
import type { Greet } from './workers.js';

/** It greets this often at most. With a whole round, some greetings were two rounds apart. */
const GREETINGS_APART_MS = ROUND_MS / 2;
/**
 * While more jobs wait than one trip to Redis brings, so many are asked for at once. Doubled: at a Redis
 * that answers after 60 ms a crowd waits a tenth less; at a fast one nothing.
 */
const MAX_ROWS = 8;

/** Takes jobs from the queue and runs their fetches. A job is over as soon as it is taken. */
export function startFetchWorker(options: {
  client: RedisClient;
  store: Pick<RedisStore, 'isWritable'>;
  names: Names;
  records: FetchRecords;
  runFetch: RunFetch;
  greet: Greet;
  /** Fetches at once. */
  concurrency: number;
  clock: Clock;
  log: Logger;
  /** Gives up the fetches that run. */
  signal: AbortSignal;
}) {
  const { client, store, names, records, runFetch, greet, concurrency, clock, log, signal } =
    options;
  const running = new Set<Promise<void>>();
  let isLeaving = false;
  /** Redis answers its commands with errors that are no state of Redis. */
  let isFailing = false;
  /** Something went wrong in this round. */
  let hasFailed = false;
  let greetedAt = -Infinity;
  let roundEndsAt = 0;
  /** What takes jobs in this round. */
  const rows = new Set<Promise<void>>();

  const isHere = () => !isLeaving;
  const mayTake = () =>
    isHere() && running.size + rows.size <= concurrency && store.isWritable(names.announcements);
  const taker = new JobTaker(client, names.queue, mayTake);

  function failed(error: unknown): void {
    hasFailed = true;
    // The store of this process reports lost connections and refused writes.
    if (!isReply(error) || stateBy(error)) return;
    const rule = missingRule(error, names.queue);
    if (!isFailing) log.error({ event: 'worker_failing', rule, err: error });
    isFailing = true;
  }
  taker.on('error', failed);
  taker.startStalledCheckTimer().catch(failed);

  /** What the record says to a job: asked again in a hiccup, for as long as nobody else runs the fetch. */
  async function ask(key: string, { freshForMs }: FetchJob): Promise<Found | undefined> {
    const question = { newId: undefined, runAfterMs: 0, freshForMs, runner: randomUUID() };
    const until = clock.monotonic() + PICK_UP_MS;
    for (;;) {
      const found = await ifUnavailable(records.ask(key, question, insisting()), undefined);
      if (found || signal.aborted || clock.monotonic() >= until) return found;
      await sleep(RETRY_MS);
    }
  }

  async function work({ id, data }: Job<unknown>): Promise<void> {
    const job = readJob(data);
    if (!job) {
      log.error({ event: 'fetch_job_malformed', job_id: id });
      return;
    }
    const { request, parent } = job;
    const key = requestKey(request);
    const { state = 'away', fetchId = '' } = (await ask(key, job)) ?? {};
    if (state === 'run') {
      await runFetch(request, { fetchId, parent }, signal, { storeMs: STORE_TIME_MS });
    } else if (state !== 'entry' && state !== 'running') {
      log.info({ event: 'fetch_job_dropped', key, reason: state });
    }
  }

  function begin(job: Job<unknown>): void {
    const working = work(job)
      .catch((error: unknown) => {
        // Waiters were told of a failed fetch, and of one that was given up.
        if (signal.aborted || error instanceof ServiceUnavailableError) return;
        log.error({ event: 'fetch_job_failed', job_id: job.id, err: error });
      })
      .finally(() => running.delete(working));
    running.add(working);
  }

  /**
   * Takes one job after the other until none is there, or the round is over.
   * @param block whether it waits for the first one
   */
  async function takeRow(block: boolean): Promise<void> {
    let job: Job<unknown> | undefined = await taker.getNextJob(randomUUID(), { block });
    while (job) {
      begin(job);
      job = await taker.finish(job, clock.monotonic() < roundEndsAt);
      if (job && rows.size < MAX_ROWS) beginRow(false);
    }
  }

  function beginRow(block: boolean): void {
    // It counts before it asks.
    const row = Promise.resolve(block)
      .then(takeRow)
      .catch(failed)
      .finally(() => rows.delete(row));
    rows.add(row);
  }

  async function takeJobs(): Promise<void> {
    while (isHere()) {
      hasFailed = false;
      roundEndsAt = clock.monotonic() + ROUND_MS;
      if (running.size >= concurrency) await settledOf(Promise.race(running), ROUND_MS);
      else if (mayTake()) {
        beginRow(true);
        while (rows.size > 0) await Promise.all(rows);
      } else hasFailed = true;
      if (hasFailed) {
        await sleep(RETRY_MS);
        continue;
      }
      isFailing = false;
      if (!isHere() || clock.monotonic() - greetedAt < GREETINGS_APART_MS) continue;
      greetedAt = clock.monotonic();
      // Replicas leave fetches to a worker that greets.
      greet('here').catch(() => undefined);
    }
  }
  const taking = takeJobs();

  return {
    isWell: () => !isFailing,
    /** Takes no more jobs and finishes those that run, within `limitMs`. */
    async drain(limitMs: number): Promise<void> {
      isLeaving = true;
      greet('leaving').catch(() => undefined);
      taker.close(true).catch(() => undefined);
      // One that Redis was giving away at that moment.
      await settledOf(taking, Math.min(limitMs, ROUND_MS));
      await settledOf(Promise.all(running), limitMs);
    },
    close(): void {
      isLeaving = true;
      taker.close(true).catch(() => undefined);
      client.disconnect();
    },
  };
}

/** Waits until work has settled, for so many milliseconds at most. */
async function settledOf(work: Promise<unknown>, limitMs: number): Promise<void> {
  const late = () => new Error('Jobs still run');
  await withTimeLimit({ limitMs, late }, () => work).catch(() => undefined);
}
