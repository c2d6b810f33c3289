import { randomUUID } from 'node:crypto';
import { StoreUnavailableError } from '../../base/errors.js';
import { ServiceUnavailableError } from '../../weather/errors.js';
import type { CacheEntry } from '../../weather/cache-entry.js';
import { keyOf } from '../../weather/kinds/kind.js';
import type { SharedCache } from '../../weather/lookup.js';
import { POLL_MS, REPEAT_MS } from '../client/timing.js';
import type { FetchJob } from './job-queue.js';
import type { Listener, MessageRouter } from './fetch-messages.js';
import type { FetchingParts } from './index.js';

/**
 * Creates the shared cache in Redis. One fetch for each key runs over all processes (single-flight); README.md in this
 * folder describes it. No command of a fetch waits for a Redis that is unavailable: the fetch then runs without it.
 */
export function createRedisSharedCache(messages: MessageRouter, parts: FetchingParts): SharedCache {
  const { redis, clock, log, entries, jobs, fetcher, slots } = parts;
  const { isFresh } = entries;
  const { ending } = parts.lifecycle;
  let loggedAt = -Infinity;

  /**
   * Runs a fetch in this process, and publishes its end without waiting for Redis. Returns at once what another process has
   * published meanwhile, such as a worker that was stopped.
   * @param uncoordinated why another process may fetch the same key
   */
  async function fetchHere<Request, Value>(
    { kind, request, fetchId, traceId }: FetchJob<Request, Value>,
    listener: Listener,
    uncoordinated?: string,
  ): Promise<CacheEntry<Value>> {
    const key = keyOf(kind, request);
    const ownFetch = fetcher(kind, request, { fetchId, traceId, uncoordinated }, ending);
    const publish = (entry?: CacheEntry<Value>, failure?: ServiceUnavailableError) => {
      entries.finish({ key, fetchId, failure }, entry).catch(redis.report);
    };
    ownFetch.then(publish, (error: unknown) => {
      if (error instanceof ServiceUnavailableError && !ending.aborted) publish(undefined, error);
    });
    for (;;) {
      const event = await Promise.race([ownFetch, listener.next(POLL_MS)]);
      if (event && 'value' in event) return event;
      const published = event && entries.published(kind, event);
      if (isFresh(published)) return published;
      if (!event && uncoordinated === undefined) jobs.keepLock(key).catch(redis.report);
    }
  }

  /**
   * Waits for the fetch of a job that this process has added.
   * @returns undefined if this process must run it: no worker does, although a slot of this process was free for `POLL_MS`
   * @throws its failure, StoreUnavailableError, the reason of the signal
   */
  async function waitFor<Request, Value>(
    { kind, request }: FetchJob<Request, Value>,
    listener: Listener,
    { signal, trace }: Parameters<SharedCache['find']>[2],
  ): Promise<CacheEntry<Value> | undefined> {
    const key = keyOf(kind, request);
    for (;;) {
      const message = await listener.next(POLL_MS);
      signal.throwIfAborted();
      if (message?.failure) {
        trace.fetchId = message.fetchId;
        throw message.failure;
      }
      const published = message && entries.published(kind, message);
      if (published) return published;
      const isTaken = slots.freeForMs() >= POLL_MS && (await take(key));
      // Read last: if its job has just ended, the entry is there.
      const { entry } = await entries.read(kind, key);
      if (isFresh(entry)) return entry;
      if (isTaken) return undefined;
    }
  }

  /** Takes a job from the queue, unless another process has it. Returns whether this process must run its fetch. */
  async function take(key: string): Promise<boolean> {
    const state = await jobs.take(key);
    const now = clock.monotonic();
    // A process that ends takes no jobs itself.
    if (state === 'waiting' && !parts.lifecycle.isDraining && now - loggedAt >= REPEAT_MS) {
      loggedAt = now;
      log.warn({ event: 'fetch_jobs_not_started', waited_ms: POLL_MS });
    }
    return state !== 'running';
  }

  return {
    // Without the listener before the read, a request could wait in vain:
    // 1. This process reads: there is no entry.
    // 2. A worker stores the entry, and publishes it.
    // 3. This process begins to listen, and adds a job. BullMQ still has the job of the worker, and ignores this one.
    // 4. BullMQ removes the job of the worker. No message follows, and only the next poll finds the entry.
    async find(kind, request, scope, beforeFetch) {
      const { trace } = scope;
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
        const { entry, redisMs } = await entries.read(kind, key);
        if (isFresh(entry)) return entry;
        isRead = true;
        begin(entry);
        await jobs.add(job, redisMs);
        return (await waitFor(job, listener, scope)) ?? (await fetchHere(job, listener));
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (!isRead) begin(undefined);
        return await fetchHere(job, listener, error.message);
      } finally {
        listener.close();
      }
    },
    refresh(kind, request, freshForMs) {
      const job = { kind, request, fetchId: randomUUID(), freshForMs };
      const refresh = async () => {
        const { entry, redisMs } = await entries.read(kind, keyOf(kind, request));
        if (!isFresh(entry, freshForMs)) await jobs.add(job, redisMs);
      };
      // If the refresh fails, a request fetches the entry after its TTL.
      refresh().catch(redis.report);
    },
  };
}
