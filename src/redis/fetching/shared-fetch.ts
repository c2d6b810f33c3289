import { randomUUID } from 'node:crypto';
import { ifUnavailable, ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache-entry.js';
import { keyOf } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { SendOptions } from '../client/port.js';
import { readEntry } from '../entry-format.js';
import type { FetchJob } from './fetch-jobs.js';
import type { FetchMessage, FetchMessages } from './fetch-messages.js';
import type { Parts } from './fetching-parts.js';

/**
 * Milliseconds between two reads of an entry, and milliseconds after which a replica runs a fetch that no worker has
 * started. Longer: a lost message or a dead worker costs more. Shorter: more load for Redis, and more fetches by
 * replicas while workers are busy.
 */
const POLL_MS = 2000;
/** Milliseconds for which a process adds no more jobs after a job that no worker has run. */
const NO_WORKER_MS = 30_000;

/** Creates the queue that runs one fetch for each key over all processes (single-flight). README.md in this folder describes it. */
export function createSharedFetch(messages: FetchMessages, parts: Parts): FetchQueue {
  const { store, clock, log, config, entries, jobs, fetcher } = parts;
  const { isFresh } = entries;
  const { ending } = parts.lifecycle;
  let noWorkerUntil = -Infinity;

  /** During a transient delay, commands wait for Redis. During a longer outage, they fail at once. */
  const patience = (): SendOptions => (store.isUp ? { patient: true } : {});

  /** Runs a fetch in this process, and publishes its end without waiting for Redis. */
  async function run<Request, Value>(
    { kind, request, fetchId, traceId }: FetchJob<Request, Value>,
    uncoordinated?: string,
  ): Promise<Cached<Value>> {
    const end: FetchMessage = { key: keyOf(kind, request), fetchId };
    try {
      const entry = await fetcher(kind, request, { fetchId, traceId, uncoordinated }, ending);
      entries.finish(end, entry).catch(() => undefined);
      return entry;
    } catch (error) {
      // If this process aborts the fetch at its end, another process runs it.
      const isFailure = error instanceof ServiceUnavailableError && !ending.aborted;
      entries.finish(isFailure ? { ...end, failure: error } : end).catch(() => undefined);
      throw error;
    }
  }

  /** Runs a fetch without the other processes if Redis is unavailable. @throws any other error */
  function runAlone<Request, Value>(job: FetchJob<Request, Value>, error: unknown) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return run(job, error.message);
  }

  /** Runs a fetch under the lock of its key, unless there is a fresh entry. Returns undefined if another replica runs it. */
  async function runLocked<Request, Value>(job: FetchJob<Request, Value>, beforeRun?: () => void) {
    const { kind, request, fetchId, freshForMs } = job;
    const key = keyOf(kind, request);
    const options = { lockFor: fetchId, ...patience() };
    const { entry, isLocked } = await entries.read(kind, key, options);
    if (isFresh(entry, freshForMs)) {
      // Releases the lock. If that fails, it expires.
      if (!isLocked) entries.finish({ key, fetchId }).catch(() => undefined);
      return entry;
    }
    if (isLocked) return undefined;
    beforeRun?.();
    return run(job);
  }

  /** Adds a job if a worker is alive. Returns whether it did. @throws StoreUnavailableError */
  async function addJob(job: FetchJob<unknown>, redisMs: number): Promise<boolean> {
    if (clock.monotonic() < noWorkerUntil) return false;
    if (!(await jobs.hasWorker(patience()))) return false;
    await jobs.add(job, redisMs, patience());
    return true;
  }

  /** Reads the entry and adds a job. Without a worker, runs the fetch. Returns undefined if another process runs it. */
  async function start<Request, Value>(job: FetchJob<Request, Value>) {
    const key = keyOf(job.kind, job.request);
    const { entry, isLocked, redisMs } = await entries.read(job.kind, key, patience());
    if (isFresh(entry)) return entry;
    return (await addJob(job, redisMs)) || isLocked ? undefined : takeOver(job);
  }

  /** Runs a fetch that no worker runs, or reads its entry. Returns undefined if another process runs it. */
  async function takeOver<Request, Value>(job: FetchJob<Request, Value>, beforeRun?: () => void) {
    const isRunning = !(await jobs.remove(keyOf(job.kind, job.request), patience()));
    return isRunning ? undefined : runLocked(job, beforeRun);
  }

  function noWorkerRan(): void {
    if (clock.monotonic() < noWorkerUntil) return;
    noWorkerUntil = clock.monotonic() + NO_WORKER_MS;
    log.warn({ event: 'fetch_jobs_not_started', waited_ms: POLL_MS });
  }

  return {
    async read(kind, request) {
      const reading = entries.read(kind, keyOf(kind, request));
      const { entry } = await ifUnavailable(reading, { entry: undefined });
      return entry;
    },
    async fetch(kind, request, { signal, trace }) {
      const key = keyOf(kind, request);
      const fetchId = randomUUID();
      const job = { kind, request, fetchId, freshForMs: 0, traceId: trace.traceId };
      trace.fetchId = fetchId;
      for (let isFirst = true; ; isFirst = false) {
        signal.throwIfAborted();
        // Before the entry is read, so that no message is missed.
        const nextMessage = messages.next(key, POLL_MS);
        const result = isFirst ? start(job) : takeOver(job, noWorkerRan);
        const entry = await result.catch((error: unknown) => runAlone(job, error));
        if (entry) return entry;
        const message = await nextMessage;
        if (!message) continue;
        trace.fetchId = message.fetchId;
        if (message.failure) throw message.failure;
        const { entry: json, ttlMs = 0 } = message;
        const published = readEntry(kind, json, ttlMs, clock.monotonic());
        if (published) return published;
      }
    },
    refresh(kind, request) {
      const freshForMs = config.cache.refreshAheadSeconds * 1000;
      const job = { kind, request, fetchId: randomUUID(), freshForMs };
      const refresh = async () => {
        const { entry, redisMs } = await entries.read(kind, keyOf(kind, request));
        if (isFresh(entry, freshForMs)) return;
        if (!(await addJob(job, redisMs))) await takeOver(job);
      };
      // If the refresh fails, a request fetches the entry after its TTL.
      refresh().catch(() => undefined);
    },
  };
}
