import { randomUUID } from 'node:crypto';
import { ifUnavailable, ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache-entry.js';
import { keyOf } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { SendOptions } from '../client/port.js';
import type { FetchJob } from './fetch-jobs.js';
import type { FetchMessage, FetchMessages } from './fetch-messages.js';
import type { Parts } from './index.js';

/**
 * Milliseconds between two reads of an entry, and milliseconds after which a replica runs a fetch that no worker has
 * started. Longer: a lost message or a dead worker costs more. Shorter: more load for Redis, and more fetches by
 * replicas while workers are busy.
 */
const POLL_MS = 2000;
/** Milliseconds for which a process adds no more jobs after one that no worker has run. */
const NO_WORKER_MS = 30_000;

/** One fetch for each key over all processes (single-flight). README.md in this folder describes it. */
export function createSharedFetch(messages: FetchMessages, parts: Parts): FetchQueue {
  const { store, clock, log, config, entries, jobs, fetcher } = parts;
  const { ending } = parts.lifecycle;
  let noWorkerUntil = -Infinity;

  const isFresh = <Value>(entry: Cached<Value> | undefined): entry is Cached<Value> =>
    entry !== undefined && clock.monotonic() < entry.freshUntil;

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

  /** Runs a fetch under the lock of its key. Returns undefined if another replica runs it. */
  async function runLocked<Request, Value>(
    job: FetchJob<Request, Value>,
  ): Promise<Cached<Value> | undefined> {
    const { kind, request, fetchId } = job;
    const key = keyOf(kind, request);
    const { entry, isLocked } = await entries.read(kind, key, { lockFor: fetchId });
    if (isLocked) return undefined;
    if (!isFresh(entry)) return run(job);
    await entries.finish({ key, fetchId });
    return entry;
  }

  function noWorkerRan(): void {
    if (clock.monotonic() < noWorkerUntil) return;
    noWorkerUntil = clock.monotonic() + NO_WORKER_MS;
    log.warn({ event: 'fetch_jobs_not_started', waited_ms: POLL_MS });
  }

  /** A transient delay is waited for. During a longer outage, commands fail at once. */
  const patience = (): SendOptions => (store.isUp ? { patient: true } : {});

  /** Adds a job if a worker is alive. Returns whether it did. @throws StoreUnavailableError */
  async function addJob(job: FetchJob<unknown>): Promise<boolean> {
    if (clock.monotonic() < noWorkerUntil) return false;
    if (!(await jobs.hasWorker(patience()))) return false;
    await jobs.add(job, patience());
    return true;
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
      let hasJob = false;
      for (let attempt = 0; ; attempt += 1) {
        signal.throwIfAborted();
        // Before the entry is read, so that no message is missed.
        const nextMessage = messages.next(key, POLL_MS);
        try {
          const reading = entries.read(kind, key, patience());
          const adding = attempt === 0 ? addJob(job) : false;
          const [{ entry, isLocked }, isAdded] = await Promise.all([reading, adding]);
          if (isFresh(entry)) return entry;
          // A job that cannot be removed is run by a worker.
          if (!isLocked && !isAdded && (await jobs.remove(key))) {
            if (hasJob) noWorkerRan();
            const fetched = await runLocked(job);
            if (fetched) return fetched;
          }
          hasJob ||= isAdded;
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          return run(job, error.message);
        }
        const message = await nextMessage;
        if (message) trace.fetchId = message.fetchId;
        if (message?.failure) throw message.failure;
      }
    },
    refresh(kind, request) {
      const freshForMs = config.cache.refreshAheadSeconds * 1000;
      const job = { kind, request, fetchId: randomUUID(), freshForMs };
      // Without a worker, the entry is fetched when it is no longer fresh.
      addJob(job).catch(() => undefined);
    },
  };
}
