import { randomUUID } from 'node:crypto';
import {
  ifUnavailable,
  ServiceUnavailableError,
  StoreUnavailableError,
} from '../../base/errors.js';
import type { CacheEntry } from '../../weather/cache-entry.js';
import { keyOf } from '../../weather/kind.js';
import type { SharedCache } from '../../weather/shared-cache.js';
import { NO_WORKER_MS, POLL_MS, REPEAT_MS } from '../client/timing.js';
import type { FetchJob } from './job-queue.js';
import type { FetchMessage, MessageRouter } from './fetch-messages.js';
import type { FetchingParts } from './index.js';

/**
 * Creates the shared cache in Redis. One fetch for each key runs over all processes (single-flight); README.md in this
 * folder describes it. No command of a fetch waits for a Redis that is unavailable: the fetch then runs without it.
 */
export function createRedisSharedCache(messages: MessageRouter, parts: FetchingParts): SharedCache {
  const { redis, clock, log, entries, jobs, fetcher } = parts;
  const { isFresh } = entries;
  const { ending } = parts.lifecycle;
  let noWorkerUntil = -Infinity;
  let loggedAt = -Infinity;

  /** Runs a fetch in this process, and publishes its end without waiting for Redis. */
  async function fetchHere<Request, Value>(
    { kind, request, fetchId, traceId }: FetchJob<Request, Value>,
    uncoordinated: string | undefined,
  ): Promise<CacheEntry<Value>> {
    const end: FetchMessage = { key: keyOf(kind, request), fetchId };
    try {
      const entry = await fetcher(kind, request, { fetchId, traceId, uncoordinated }, ending);
      entries.finish(end, entry).catch(redis.report);
      return entry;
    } catch (error) {
      // If this process aborts the fetch at its end, another process runs it.
      const isFailure = error instanceof ServiceUnavailableError && !ending.aborted;
      entries.finish(isFailure ? { ...end, failure: error } : end).catch(redis.report);
      throw error;
    }
  }

  /**
   * Runs a fetch in this process. While it runs, renews its lock, and returns as soon as another process has published
   * or stored a fresh entry: its worker, or a process that could not reach Redis, may have fetched the same key.
   * @param uncoordinated why the fetch runs without the lock
   */
  async function run<Request, Value>(
    job: FetchJob<Request, Value>,
    uncoordinated?: string,
  ): Promise<CacheEntry<Value>> {
    const { kind, request, fetchId: lockFor, freshForMs } = job;
    const key = keyOf(kind, request);
    const listener = messages.listen(key);
    const own = fetchHere(job, uncoordinated);
    // It may fail after this function has returned another entry.
    own.catch(() => undefined);
    const ended = own.then((entry) => ({ entry }));

    async function otherEntry(message: FetchMessage | undefined) {
      if (message) return entries.published(kind, message);
      const known = await ifUnavailable(entries.read(kind, key, { lockFor }), undefined);
      return known?.entry;
    }

    try {
      for (;;) {
        const event = await Promise.race([ended, listener.next(POLL_MS)]);
        if (event && !('key' in event)) return event.entry;
        const entry = await Promise.race([own, otherEntry(event)]);
        if (isFresh(entry, freshForMs)) return entry;
      }
    } finally {
      listener.close();
    }
  }

  /** Adds a job if a worker is alive. Returns whether it did. @throws StoreUnavailableError */
  async function addJob(job: FetchJob<unknown>, redisMs: number): Promise<boolean> {
    if (clock.monotonic() < noWorkerUntil || !(await jobs.hasWorker())) return false;
    await jobs.add(job, redisMs);
    return true;
  }

  /**
   * Runs a fetch that no worker runs under the lock of its key, or reads its entry. Returns undefined if another process
   * runs it.
   * @param beforeRun called before this process runs it
   * @throws StoreUnavailableError, and as the fetcher
   */
  async function takeOver<Request, Value>(job: FetchJob<Request, Value>, beforeRun?: () => void) {
    const { kind, request, fetchId, freshForMs } = job;
    const key = keyOf(kind, request);
    const isRunning = !(await jobs.remove(key));
    if (isRunning) return undefined;
    const { entry, isLocked } = await entries.read(kind, key, { lockFor: fetchId });
    if (isFresh(entry, freshForMs)) {
      // Releases the lock. If that fails, it expires.
      if (!isLocked) entries.finish({ key, fetchId }).catch(redis.report);
      return entry;
    }
    if (isLocked) return undefined;
    beforeRun?.();
    return run(job);
  }

  function noWorkerRan(): void {
    const now = clock.monotonic();
    noWorkerUntil = now + NO_WORKER_MS;
    if (now - loggedAt < REPEAT_MS) return;
    loggedAt = now;
    log.warn({ event: 'fetch_jobs_not_started', waited_ms: POLL_MS });
  }

  return {
    // Without the listener before the read, a request could wait in vain:
    // 1. This process reads: there is no entry.
    // 2. A worker stores the entry, and publishes it.
    // 3. This process begins to listen, and adds a job. BullMQ still has the job of the worker, and ignores this one.
    // 4. BullMQ removes the job of the worker. No message follows, and only the next poll finds the entry.
    async find(kind, request, { signal, trace }, beforeFetch) {
      const key = keyOf(kind, request);
      const fetchId = randomUUID();
      const job = { kind, request, fetchId, freshForMs: 0, traceId: trace.traceId };
      let isRead = false;
      const begin: typeof beforeFetch = (stale) => {
        beforeFetch(stale);
        trace.fetchId = fetchId;
      };
      const listener = messages.listen(key);
      try {
        const { entry, isLocked, redisMs } = await entries.read(kind, key);
        if (isFresh(entry)) return entry;
        isRead = true;
        begin(entry);
        const isElsewhere = (await addJob(job, redisMs)) || isLocked;
        let found = isElsewhere ? undefined : await takeOver(job);
        while (!found) {
          const message = await listener.next(POLL_MS);
          signal.throwIfAborted();
          if (message?.failure) {
            trace.fetchId = message.fetchId;
            throw message.failure;
          }
          found = message && entries.published(kind, message);
          found ??= await takeOver(job, noWorkerRan);
        }
        return found;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (!isRead) begin(undefined);
        return await run(job, error.message);
      } finally {
        listener.close();
      }
    },
    refresh(kind, request, freshForMs) {
      const job = { kind, request, fetchId: randomUUID(), freshForMs };
      const refresh = async () => {
        const { entry, redisMs } = await entries.read(kind, keyOf(kind, request));
        if (isFresh(entry, freshForMs)) return;
        if (!(await addJob(job, redisMs))) await takeOver(job);
      };
      // If the refresh fails, a request fetches the entry after its TTL.
      refresh().catch(redis.report);
    },
  };
}
