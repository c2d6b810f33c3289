import { randomUUID } from 'node:crypto';
import { ifUnavailable, StoreUnavailableError } from '../../base/errors.js';
import type { CacheEntry } from '../../weather/cache-entry.js';
import { ServiceUnavailableError } from '../../weather/errors.js';
import { keyOf, type AnyKind, type Kind } from '../../weather/kinds/kind.js';
import type { SharedCache } from '../../weather/lookup.js';
import type { Scope } from '../../weather/request-scope.js';
import { POLL_MS, REPEAT_MS, UNTAKEN_MS } from '../client/timing.js';
import type { FetchJob } from './job-queue.js';
import type { FetchEnd, Listener, MessageRouter, Outcome } from './fetch-messages.js';
import type { FetchingParts } from './fetching-parts.js';

/**
 * Decides what a request without an entry does next.
 * @param state of its job, as `take` returns it, or how the job has ended in another process
 * @param isLate whether the request has waited for as long as a job may wait
 * @param isSlow whether a running job has had time for a whole call of its first provider
 */
function nextStep(state: string, isLate: boolean, isSlow: boolean) {
  // The other process may not reach a provider that this process reaches.
  if (state === 'failed' || state === 'stored') return 'fetch';
  if (state === 'running') return isSlow ? 'fetch' : 'wait';
  // No process has started the job.
  if (isLate) return 'reject';
  // The job was lost, or the message of its end.
  return state === 'missing' ? 'add job' : 'fetch';
}

/**
 * Creates the shared cache in Redis. One fetch for each key runs over all processes: see README.md
 * in this folder. No command of a fetch waits for an unavailable Redis: the fetch runs without it.
 */
export function createRedisSharedCache(messages: MessageRouter, parts: FetchingParts): SharedCache {
  const { redis, clock, log, config, entries, jobs, fetcher, availability, slots } = parts;
  const { isFresh } = entries;
  /** Milliseconds in which an idle process sees a waiting job, and a call of a provider ends. */
  const slowMs = POLL_MS + config.UPSTREAM_TIMEOUT_MS;
  let loggedAt = -Infinity;

  /**
   * Runs a fetch in this process, and publishes its end without waiting for Redis. If another
   * process stores the entry meanwhile (a worker that was stopped and continues), returns it.
   * @param ownsJob whether this process has taken over the job
   * @param uncoordinated why another process may fetch the same key
   */
  async function fetchHere<Request, Value>(
    { kind, request, fetchId }: FetchJob<Request, Value>,
    listener: Listener,
    scope: Scope,
    { ownsJob = false, uncoordinated }: { ownsJob?: boolean; uncoordinated?: string } = {},
  ): Promise<CacheEntry<Value>> {
    const key = keyOf(kind, request);
    const left = new AbortController();
    const signal = AbortSignal.any([scope.signal, left.signal]);
    const ownFetch = fetcher(
      kind,
      request,
      { ...scope, signal, deadline: Infinity },
      uncoordinated,
    );
    const end = async (outcome: Outcome, result: NonNullable<FetchEnd['result']>) => {
      await entries.finish(key, { fetchId, outcome, result });
      if (ownsJob) await jobs.end(key, fetchId);
    };
    const ended = ownFetch.then(
      (entry) => end('stored', { entry }),
      // Nobody waits for the failure of a fetch that has no job.
      (failure: unknown) => (ownsJob ? end('failed', { failure }) : undefined),
    );
    ended.catch(redis.report);
    try {
      for (;;) {
        const event = await Promise.race([ownFetch, listener.next(POLL_MS)]);
        if (event && 'value' in event) return event;
        const { entry } = await ifUnavailable(entries.read(kind, key), { entry: undefined });
        if (isFresh(entry)) return entry;
        if (ownsJob) jobs.keepLock(key).catch(redis.report);
      }
    } finally {
      left.abort();
    }
  }

  /**
   * Waits for the fetch of a job that this process has added, or runs it: see `nextStep`.
   * @throws its failure, StoreUnavailableError, the reason of the signal
   */
  async function waitFor<Request, Value>(
    job: FetchJob<Request, Value>,
    redisMs: number,
    listener: Listener,
    scope: Scope,
  ): Promise<CacheEntry<Value>> {
    const { kind, request, fetchId } = job;
    const key = keyOf(kind, request);
    const startedAt = clock.monotonic();
    let limitMs = availability(kind) === 'good' ? POLL_MS : UNTAKEN_MS;
    for (;;) {
      const end = await listener.next(limitMs);
      limitMs = POLL_MS;
      scope.signal.throwIfAborted();
      if (end?.result) {
        scope.trace.fetchId = end.fetchId;
        if ('failure' in end.result) throw end.result.failure;
        return end.result.entry as CacheEntry<Value>;
      }
      const waitedMs = clock.monotonic() - startedAt;
      const isLate = waitedMs >= config.waits.queuedMs;
      const isIdle = slots.freeForMs() >= POLL_MS;
      const state = end?.outcome ?? (isLate || isIdle ? await jobs.take(key, fetchId) : 'running');
      const ownsJob = state === 'waiting' || state === 'stalled';
      // Read last: if the job has just ended, the entry is there.
      const { entry } = await entries.read(kind, key);
      if (entry && (entry.fetchId === end?.fetchId || isFresh(entry))) {
        if (ownsJob) await jobs.end(key, fetchId);
        return entry;
      }
      const isSlow = isIdle && waitedMs >= slowMs && availability(kind) === 'good';
      switch (nextStep(state, isLate, isSlow)) {
        case 'wait':
          continue;
        case 'add job':
          await jobs.add(job, redisMs);
          continue;
        case 'fetch':
          if (state === 'waiting') warnNotStarted(kind);
          // A fetch of this process has ended meanwhile, and its entry is not yet in Redis.
          if (!ownsJob && listener.hasNext()) continue;
          return await fetchHere(job, listener, scope, { ownsJob });
        case 'reject':
          if (ownsJob) {
            await jobs.end(key, fetchId);
            await entries.finish(key, { fetchId, outcome: 'dropped' });
          }
          throw new ServiceUnavailableError('Too many fetches are waiting');
      }
    }
  }

  function warnNotStarted(kind: AnyKind): void {
    const now = clock.monotonic();
    // A process that ends, or that reaches no provider, takes no jobs itself.
    if (parts.lifecycle.isDraining || availability(kind) !== 'good') return;
    if (now - loggedAt < REPEAT_MS) return;
    loggedAt = now;
    log.warn({ event: 'fetch_jobs_not_started', waited_ms: POLL_MS });
  }

  /**
   * Fetches a value once over all processes, or in this process if Redis is unavailable.
   * @param reading the read of the entry
   */
  async function fetchOnce<Request, Value>(
    kind: Kind<Request, Value>,
    request: Request,
    reading: Promise<{ redisMs: number }>,
    scope: Scope,
  ): Promise<CacheEntry<Value>> {
    const fetchId = randomUUID();
    const { trace } = scope;
    const job = { kind, request, fetchId, freshForMs: 0, traceId: trace.traceId };
    trace.fetchId = fetchId;
    const listener = messages.listen(keyOf(kind, request));
    try {
      const { redisMs } = await reading;
      await jobs.add(job, redisMs);
      return await waitFor(job, redisMs, listener, scope);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return await fetchHere(job, listener, scope, { uncoordinated: error.message });
    } finally {
      listener.close();
    }
  }

  return {
    async find(kind, request, asksForFetch = false) {
      const key = keyOf(kind, request);
      const reading = entries.read(kind, key);
      const [{ entry }, isFetching] = await Promise.all([
        ifUnavailable(reading, { entry: undefined }),
        asksForFetch && ifUnavailable(jobs.exists(key), false),
      ]);
      return { entry, isFetching, fetch: (scope) => fetchOnce(kind, request, reading, scope) };
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
