import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobJson } from 'bullmq';
import { Worker } from 'bullmq/dist/cjs/classes/worker.js';
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
import { QUEUE_NAME, readJob, type FetchJob } from './jobs.js';
import { insisting, PICK_UP_MS, type FetchRecords, type Found } from './record.js';
import type { RunFetch } from './run.js';
import type { Greet } from './workers.js';

/**
 * A worker comes round its loop at least this often, and greets then. Doubled: replicas take it for dead
 * now and then, and fetch for themselves.
 */
const ROUND_MS = 1000;
/** It greets this often at most. With a whole round, some greetings were two rounds apart. */
const GREETINGS_APART_MS = ROUND_MS / 2;
/**
 * What the queue's library has lost comes back after so long: a job between being taken and being over,
 * and a wait for a job that takes so much longer than it may. Doubled: jobs are taken 5 s later.
 */
const LOST_MS = 5000;

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

  const isHere = () => !isLeaving;
  const mayTake = () =>
    isHere() && running.size < concurrency && store.isWritable(names.announcements);
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

  async function takeSome(): Promise<void> {
    let job: Job<unknown> | undefined = await taker.getNextJob(randomUUID());
    while (job) {
      begin(job);
      job = await taker.finish(job);
    }
  }

  async function takeJobs(): Promise<void> {
    while (isHere()) {
      hasFailed = false;
      if (running.size >= concurrency) await settledOf(Promise.race(running), ROUND_MS);
      else if (mayTake()) await takeSome().catch(failed);
      else hasFailed = true;
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

/** BullMQ's worker, of which the loop is ours: nothing is taken before what was taken has begun. */
class JobTaker extends Worker<unknown> {
  constructor(
    client: RedisClient,
    prefix: string,
    private readonly mayTake: () => boolean,
  ) {
    super(QUEUE_NAME, undefined, {
      connection: client,
      prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      // A lost job finds out that nobody wants it.
      lockDuration: LOST_MS,
      stalledInterval: LOST_MS,
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
  }

  /** Ends a job, and takes the next one in the same step. */
  async finish(job: Job<unknown>): Promise<Job<unknown> | undefined> {
    const token = job.token ?? '';
    const next: unknown = await job.moveToCompleted('', token, this.mayTake());
    const [data, id] = Array.isArray(next) ? (next as [JobJson?, string?]) : [];
    return this.nextJobFromJobData(data, id, token);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<unknown>> {
    const nothing = undefined as unknown as Job<unknown>;
    return this.mayTake() ? super.moveToActive(token, name) : nothing;
  }

  /** Also after an error, when the library would block for 10 s. */
  protected override getBlockTimeout(): number {
    return ROUND_MS / 1000;
  }

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
      const limitMs = seconds * 1000 + LOST_MS;
      try {
        return await withTimeLimit({ limitMs, late: () => lost }, () => wait(seconds));
      } catch (error) {
        if (error !== lost) throw error;
        return null;
      }
    };
    // The library stops listening to its connection before it ends: a refusal by Redis may still come.
    const ignored = (): void => undefined;
    void backend.blockingClient?.then((blocking) => blocking.on('error', ignored), ignored);
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
