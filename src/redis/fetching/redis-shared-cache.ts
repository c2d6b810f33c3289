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
   * Runs a fetch in this process, and publishes its end without waiting for Redis. Returns what
   * another process (such as a worker that was stopped) has stored meanwhile.
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
   * Waits for the fetch of a job that this process has added. Runs it if no worker takes the job,
   * or if another process's fetch failed or has run for longer than one attempt may take: this
   * process may reach a provider that the other one does not reach.
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
      const state = end || !(isLate || isIdle) ? 'running' : await jobs.take(key, fetchId);
      const isTaken = state === 'waiting' || state === 'stalled';
      const release = () => (isTaken ? jobs.end(key, fetchId) : undefined);
      // Read last: if the job has just ended, the entry is there.
      const { entry } = await entries.read(kind, key);
      if (entry && (entry.fetchId === end?.fetchId || isFresh(entry))) {
        await release();
        return entry;
      }
      // The first provider did not respond to the other process, and the next may not either.
      const isSlow = isIdle && state === 'running' && waitedMs >= slowMs;
      const hasRun = end && !(isLate && end.outcome === 'dropped');
      if (hasRun || (isSlow && availability(kind) === 'good')) {
        // A fetch of this process has ended meanwhile, and its entry is not yet in Redis.
        if (listener.hasNext()) continue;
        return await fetchHere(job, listener, scope);
      }
      if (!end && state === 'running') continue;
      if (isLate) {
        await release();
        if (isTaken) await entries.finish(key, { fetchId, outcome: 'dropped' });
        throw new ServiceUnavailableError('Too many fetches are waiting');
      }
      if (state === 'waiting') warnNotStarted(kind);
      if (isTaken) return await fetchHere(job, listener, scope, { ownsJob: true });
      // The job was lost, or the message of its end.
      await jobs.add(job, redisMs);
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
