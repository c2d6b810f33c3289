import { setTimeout as delay } from 'node:timers/promises';
import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { Cached } from '../../weather/cache.js';
import { DEMAND_THRESHOLD, type FetchQueue } from '../../weather/queue.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import { StoreTime, type Scope } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { Announcement, Announcements } from './announcements.js';
import type { FetchSnapshot, FetchState } from './fetch-state.js';
import type { FetchJobs } from './jobs.js';
import type { LeasedFetch } from './leased-fetch.js';

/** A job that no worker has taken up by then is fetched by a replica. */
const PICK_UP_MS = 2000;
/** After such a miss the workers are taken to be away, and are not waited for. */
const WORKERS_AWAY_MS = 10_000;
/** A lost announcement costs a waiter at most this. */
const POLL_MS = 300;
/** A poll may wait for what its look-up has not waited yet, but at least for so long. */
const LEAST_POLL_BUDGET_MS = 25;

export interface RedisFetchQueueOptions {
  jobs: FetchJobs;
  state: FetchState;
  announcements: Announcements;
  leasedFetch: LeasedFetch;
  /** Fetches in this process alone: what is left when Redis is away. */
  local: FetchQueue;
  clock: Clock;
  log: Logger;
  /** How long a fetch may take in all, in milliseconds. */
  timeoutMs: number;
  refreshAheadMs: number;
  /** Aborted when the process ends. */
  signal: AbortSignal;
}

/**
 * One fetch per key over all processes: a job for the workers, deduplicated on the key; whoever
 * asks waits for its announcement. When no worker delivers, one replica fetches under the lease.
 */
export function createRedisFetchQueue(options: RedisFetchQueueOptions): FetchQueue {
  const { jobs, state, announcements, leasedFetch, local, clock, log, signal } = options;
  let workersAwayUntil = -Infinity;
  /** Entries whose refresh is under way: nobody need count any more who asks for them. */
  const refreshed = new WeakSet<Cached>();

  announcements.onEach(({ by }) => {
    if (by === 'worker') workersAwayUntil = -Infinity;
  });
  const workersAway = () => clock.monotonic() < workersAwayUntil;

  function missWorkers(key: string): void {
    if (!workersAway()) log.warn({ event: 'worker_stalled', key, waited_ms: PICK_UP_MS });
    workersAwayUntil = clock.monotonic() + WORKERS_AWAY_MS;
  }

  /** The wait for one key: enqueue, look, then wait for the end by message or by poll. */
  async function fetchShared(request: FetchRequest, scope: Scope) {
    const key = requestKey(request);
    const started = clock.monotonic();
    // Before anything is asked for, so that no announcement is missed.
    let waiter = announcements.next(key);
    let job: Awaited<ReturnType<FetchJobs['add']>> | undefined;
    try {
      if (!workersAway()) job = await jobs.add(request, 0, scope);
      let snapshot = await state.look(key, scope, true);
      const earlierFailure = snapshot.failure?.id;
      const pollBudgetMs = Math.max(
        scope.storeTime.leftAt(clock.monotonic()),
        LEAST_POLL_BUDGET_MS,
      );
      let everLeased = false;
      for (;;) {
        if (isFresh(snapshot.entry)) {
          const { entry } = snapshot;
          const byJob = entry.cause !== undefined && entry.cause === job?.id;
          if (!byJob) takeBack(job);
          return { entry, leader: byJob && job?.added === true };
        }
        const { failure } = snapshot;
        if (failure && failure.id !== earlierFailure) throw failed(failure);

        const waited = clock.monotonic() - started;
        if (waited > options.timeoutMs)
          throw new ServiceUnavailableError('The fetch took too long');
        const nobodyAtIt = job === undefined || everLeased || waited >= PICK_UP_MS;
        if (!snapshot.leased && nobodyAtIt) {
          if (job && !everLeased) missWorkers(key);
          const done = await leasedFetch(request, signal, { cause: job?.id, staleAfterMs: 0 });
          if (done) {
            takeBack(job);
            return { entry: done.entry, leader: job ? job.added : done.fetched };
          }
        }
        everLeased ||= snapshot.leased;
        const announcement = await firstOf(waiter.announced, POLL_MS);
        if (announcement?.failure) throw failed(announcement.failure);
        if (announcement) {
          waiter.cancel();
          waiter = announcements.next(key);
        }
        // Each poll anew: a long wait for the provider is no wait for Redis.
        snapshot = await state.look(
          key,
          { ...scope, storeTime: new StoreTime(pollBudgetMs) },
          false,
        );
      }
    } catch (error) {
      if (error instanceof ServiceUnavailableError) takeBack(job);
      throw error;
    } finally {
      waiter.cancel();
    }
  }

  function isFresh(entry: Cached | undefined): entry is Cached {
    return entry !== undefined && clock.monotonic() < entry.freshUntil;
  }

  /**
   * A job whose fetch somebody else has done must not wait for workers that may never come. One
   * that a worker is at stays: Redis refuses to remove it.
   */
  function takeBack(job: { id: string } | undefined): void {
    if (job) jobs.remove(job.id).catch(() => undefined);
  }

  async function refresh(request: FetchRequest, entry: Cached): Promise<void> {
    const key = requestKey(request);
    const remaining = entry.freshUntil - clock.monotonic();
    const requests = await state.countDemand(key, remaining);
    if (requests >= DEMAND_THRESHOLD) refreshed.add(entry);
    if (requests !== DEMAND_THRESHOLD) return;
    const staleAfterMs = options.refreshAheadMs;
    if (workersAway()) await leasedFetch(request, signal, { staleAfterMs });
    else await jobs.add(request, staleAfterMs);
  }

  return {
    async fetch(request, scope) {
      try {
        return await fetchShared(request, scope);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        log.warn({ event: 'fetch_uncoordinated', key: requestKey(request), err: error });
        return local.fetch(request, scope);
      }
    },
    noteDemand(request, entry) {
      if (refreshed.has(entry)) return;
      // In the background: the entry lives out its life when this fails.
      refresh(request, entry).catch(() => undefined);
    },
  };
}

function failed(failure: NonNullable<FetchSnapshot['failure']>): ServiceUnavailableError {
  return new ServiceUnavailableError(failure.message, { retryAfterMs: failure.retryAfterMs });
}

/** The announcement, or undefined when none came in time. */
async function firstOf(
  announced: Promise<Announcement>,
  limitMs: number,
): Promise<Announcement | undefined> {
  const limit = new AbortController();
  try {
    return await Promise.race([
      announced,
      delay(limitMs, undefined, { signal: limit.signal, ref: false }).catch(() => undefined),
    ]);
  } finally {
    limit.abort();
  }
}
