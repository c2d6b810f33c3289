import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { Cached } from '../../weather/cache.js';
import type { Asked, FetchEnd, FetchQueue } from '../../weather/queue.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Scope } from '../../weather/scope.js';
import type { Announcements, Failure, Listening } from './announcements.js';
import type { FetchJobs } from './jobs.js';
import { PICK_UP_MS, type FetchRecords, type Found } from './record.js';
import type { RunFetch } from './run.js';
import type { Workers } from './workers.js';

/** A waiter asks this often for what it may have missed. Doubled: 1 s late after a lost message. */
const POLL_MS = 500;
/** The same where nobody else may run the fetch. Doubled: a crowd begins fetches half as often. */
const PROMPT_POLL_MS = 100;
/** All waiters of a process together ask once in this time at most. Doubled: half the commands. */
const POLL_APART_MS = 1;
/** Longer than any fetch is queued: another process is to run it. */
const NEVER_MS = 1e9;

export interface RedisFetchQueueOptions {
  /** Identifies this process. */
  processId: string;
  records: FetchRecords;
  jobs: FetchJobs;
  announcements: Announcements;
  workers: Workers;
  runFetch: RunFetch;
  /** The most fetches that this process runs at once for all processes. */
  maxOwnRuns: number;
  log: Logger;
  refreshAheadMs: number;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}

const NOTHING = { entry: undefined, failure: undefined } as const;

/** A request that waits for the fetch of its key. */
interface Waiter {
  request: FetchRequest;
  key: string;
  scope: Scope;
  listening: Listening;
  /** The fetch that it waits for. */
  fetchId: string;
  /** Whether this request began the fetch. */
  caused: boolean;
  /** The fetch that this process has added a job for. */
  jobOf: string | undefined;
  /** Nobody else runs the fetch: this process begins it, or runs it, when it has a place. */
  isUrgent: boolean;
}

/** One fetch per key over all processes. README.md in this folder describes its life. */
export function createRedisFetchQueue(options: RedisFetchQueueOptions): FetchQueue {
  const { processId, records, jobs, announcements, workers, runFetch, log, signal } = options;
  const { maxOwnRuns, refreshAheadMs } = options;
  let fetches = 0;
  let ownRuns = 0;
  let waiting = 0;

  const newFetchId = () => `${processId}-${(fetches += 1)}`;

  /**
   * Asks on behalf of a waiter. What it may run here, it runs when this process has a place.
   * @returns `alone` also when Redis is unavailable. Where Redis may have given the fetch to this
   *   process all the same, it is run under the same id, so that nobody waits in vain.
   */
  async function askFor(waiter: Waiter, newId: string | undefined, scope?: Scope): Promise<Found> {
    const isFree = ownRuns < maxOwnRuns;
    const isNow = waiter.isUrgent || !workers.areThere;
    const runAfterMs = !isFree ? NEVER_MS : isNow ? 0 : PICK_UP_MS;
    if (isFree) ownRuns += 1;
    let runsHere = false;
    try {
      const found = await records.ask(waiter.key, { newId, runAfterMs, freshForMs: 0 }, scope);
      runsHere = found.state === 'run';
      return found.state === 'alone' ? { ...found, fetchId: newFetchId() } : found;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const fetchId = (runAfterMs === 0 ? newId : undefined) ?? newFetchId();
      return { ...NOTHING, state: 'alone', fetchId, refusal: error.message };
    } finally {
      if (isFree && !runsHere) ownRuns -= 1;
    }
  }

  async function ask(request: FetchRequest, scope: Scope, mayFetch: boolean): Promise<Asked> {
    const key = requestKey(request);
    // Before the question, so that no announcement is missed.
    const listening = announcements.listen(key);
    const waiter: Waiter = {
      ...{ request, key, scope, listening, fetchId: '' },
      ...{ caused: false, jobOf: undefined, isUrgent: false },
    };
    const found = await askFor(waiter, mayFetch ? newFetchId() : undefined, scope);
    const { state, entry, failure } = found;
    const isBegun = state !== 'entry' && state !== 'none' && state !== 'failed';
    if (isBegun && (mayFetch || state !== 'alone')) {
      const end = endOf(waiter, found).finally(() => {
        listening.stop();
      });
      return { kind: 'fetch', stale: entry, end };
    }
    listening.stop();
    if (state === 'entry' && entry) return { kind: 'entry', entry };
    return { kind: 'none', stale: entry, failure: failure && failed(failure) };
  }

  /** The end of a fetch that this process runs, or that it waits for. */
  async function endOf(waiter: Waiter, found: Found): Promise<FetchEnd> {
    if (found.state === 'run') return runHere(waiter, found);
    if (found.state === 'alone') return runAlone(waiter, found);
    follow(waiter, found);
    return wait(waiter);
  }

  /** Waits for a fetch that is queued or runs. The records of the request name it, should it fail. */
  function follow(waiter: Waiter, { state, fetchId }: Found): void {
    waiter.caused = state === 'new' || (waiter.caused && fetchId === waiter.fetchId);
    waiter.fetchId = fetchId;
    waiter.scope.trace.fetchId = fetchId;
    waiter.isUrgent = false;
    if (state !== 'new' || !workers.areThere) return;
    waiter.jobOf = fetchId;
    const { request, scope } = waiter;
    const job = { request, freshForMs: 0, traceId: scope.trace.traceId };
    // The request does not wait for it: a worker's answer comes over the channel.
    jobs.add(fetchId, job).catch(() => {
      waiter.isUrgent = true;
    });
  }

  /** Runs a fetch that Redis gave to this process, in the place that it has for it. */
  async function runHere(waiter: Waiter, { fetchId }: Found): Promise<FetchEnd> {
    try {
      return await run(waiter, fetchId);
    } finally {
      ownRuns -= 1;
    }
  }

  /** Runs a fetch without the others. */
  function runAlone(waiter: Waiter, { fetchId, refusal }: Found): Promise<FetchEnd> {
    log.warn({ event: 'fetch_uncoordinated', key: waiter.key, reason: refusal });
    return run(waiter, fetchId);
  }

  async function run({ request, scope }: Waiter, fetchId: string): Promise<FetchEnd> {
    scope.trace.fetchId = fetchId;
    const { traceId } = scope.trace;
    return { entry: await runFetch(request, { fetchId, traceId }, scope.signal), caused: true };
  }

  async function wait(waiter: Waiter): Promise<FetchEnd> {
    waiting += 1;
    try {
      for (;;) {
        const told = await waiter.listening.next(pollMs(waiter), waiter.scope.signal);
        // A late message of an earlier fetch tells nothing about this one.
        if (told?.fetchId === waiter.fetchId) {
          if (told.entry) return broughtBy(waiter, told.entry);
          if (told.failure) throw failed(told.failure);
          waiter.isUrgent = true;
        }
        const end = await poll(waiter);
        if (end) return end;
      }
    } finally {
      waiting -= 1;
    }
  }

  function pollMs({ isUrgent }: Waiter): number {
    const isHeard = workers.areThere && announcements.greetedAt !== undefined;
    return Math.max(isHeard && !isUrgent ? POLL_MS : PROMPT_POLL_MS, waiting * POLL_APART_MS);
  }

  /** Asks for what may have been missed, and runs the fetch when nobody else does. */
  async function poll(waiter: Waiter): Promise<FetchEnd | undefined> {
    const found = await askFor(waiter, waiter.isUrgent ? newFetchId() : undefined);
    const { state, fetchId, entry, failure } = found;
    if (state === 'entry' && entry) return broughtBy(waiter, entry);
    if (state === 'run') {
      if (waiter.jobOf === fetchId && workers.leftWaiting(fetchId)) {
        log.warn({ event: 'worker_stalled', key: waiter.key, waited_ms: PICK_UP_MS });
      }
      return runHere(waiter, found);
    }
    if (state === 'alone') return runAlone(waiter, found);
    if (state === 'failed' && failure && fetchId === waiter.fetchId) throw failed(failure);
    // Lost with the process that ran it, or its end is on its way: once more, and then it is begun.
    if (state === 'none' || state === 'failed') waiter.isUrgent = true;
    else follow(waiter, found);
    return undefined;
  }

  function refresh(request: FetchRequest): boolean {
    const runAfterMs = workers.areThere ? NEVER_MS : 0;
    if (runAfterMs === 0 && ownRuns >= maxOwnRuns) return false;
    // When it fails, the entry is fetched once it has expired.
    refreshNow(request, runAfterMs).catch(() => undefined);
    return true;
  }

  async function refreshNow(request: FetchRequest, runAfterMs: number): Promise<void> {
    const freshForMs = refreshAheadMs;
    const key = requestKey(request);
    ownRuns += 1;
    try {
      const question = { newId: newFetchId(), runAfterMs, freshForMs };
      const { state, fetchId } = await records.ask(key, question);
      if (state === 'new') await jobs.add(fetchId, { request, freshForMs });
      // It belongs to no request's trace.
      if (state === 'run') await runFetch(request, { fetchId, traceId: undefined }, signal);
    } finally {
      ownRuns -= 1;
    }
  }

  return { ask, refresh };
}

/** The end of a fetch that was waited for: this one, or another that came before it. */
function broughtBy({ fetchId, caused }: Waiter, entry: Cached): FetchEnd {
  return { entry, caused: caused && entry.fetchId === fetchId };
}

function failed(failure: Failure): ServiceUnavailableError {
  return new ServiceUnavailableError(failure.message, { retryAfterMs: failure.retryAfterMs });
}
