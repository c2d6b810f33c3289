import { ifUnavailable, ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
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

/** One fetch per key over all processes. README.md in this folder describes its life. */
export function createRedisFetchQueue(options: {
  /** Identifies this process. */
  processId: string;
  records: FetchRecords;
  jobs: FetchJobs;
  announcements: Announcements;
  workers: Workers;
  runFetch: RunFetch;
  /** The most fetches that this process runs at once for all processes. */
  maxRuns: number;
  log: Logger;
  refreshAheadMs: number;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): FetchQueue {
  const { processId, records, jobs, announcements, workers, runFetch, log, signal } = options;
  const { maxRuns, refreshAheadMs } = options;
  let fetches = 0;
  /** By fetches that this process runs for all processes, and by questions that may bring it one. */
  let placesTaken = 0;
  let waiting = 0;

  const hasPlace = () => placesTaken < maxRuns;

  /**
   * Asks the record of a key. With `run` a place of this process is taken until `run()` ends.
   * @param mayBegin whether the question begins a fetch where there is none
   * @param isAbandoned whether nobody else runs the fetch
   * @returns `alone` also when Redis is unavailable. Redis may have given this process the fetch all
   *   the same: it is run under the id that was asked with, so that nobody waits in vain
   */
  async function find(
    key: string,
    question: { mayBegin: boolean; isAbandoned: boolean; freshForMs?: number },
    scope?: Scope,
  ): Promise<Found> {
    const { mayBegin, isAbandoned, freshForMs = 0 } = question;
    const ownId = `${processId}-${(fetches += 1)}`;
    const newId = mayBegin ? ownId : undefined;
    const takesPlace = hasPlace();
    const runAfterMs = isAbandoned || !workers.areThere ? 0 : PICK_UP_MS;
    if (takesPlace) placesTaken += 1;
    let found: Found | undefined;
    try {
      const asked = { newId, runAfterMs: takesPlace ? runAfterMs : undefined, freshForMs };
      found = await records.ask(key, asked, scope);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { state: 'alone', fetchId: ownId, reason: error.message };
    } finally {
      if (takesPlace && found?.state !== 'run') placesTaken -= 1;
    }
    return found.state === 'alone' ? { ...found, fetchId: ownId } : found;
  }

  /** Runs a fetch that was found to `run`, or `alone`. */
  async function run(
    request: FetchRequest,
    { state, fetchId, reason }: Found,
    traceId: string | undefined,
    ending: AbortSignal,
  ): Promise<Cached> {
    try {
      return await runFetch(request, { fetchId, traceId, uncoordinated: reason }, ending);
    } finally {
      if (state === 'run') placesTaken -= 1;
    }
  }

  async function ask(request: FetchRequest, scope: Scope, mayFetch: boolean): Promise<Asked> {
    const key = requestKey(request);
    // Before the question, so that no announcement is missed.
    const listening = announcements.listen(key);
    const found = await find(key, { mayBegin: mayFetch, isAbandoned: false }, scope);
    const { state, entry, failure } = found;
    const isFetch = state !== 'entry' && state !== 'none' && state !== 'failed';
    if (isFetch && (mayFetch || state !== 'alone')) {
      const end = untilEnd(request, found, listening, scope).finally(() => {
        listening.stop();
      });
      return { kind: 'fetch', stale: entry, end };
    }
    listening.stop();
    if (state === 'entry' && entry) return { kind: 'entry', entry };
    return { kind: 'none', stale: entry, failure: failure && failed(failure) };
  }

  /** Waits for the end of a fetch, and runs it when nobody else does. */
  async function untilEnd(
    request: FetchRequest,
    first: Found,
    listening: Listening,
    scope: Scope,
  ): Promise<FetchEnd> {
    const key = requestKey(request);
    /** The fetch that it waits for. */
    let fetchId = '';
    let hasBegun = false;
    let hasJob = false;
    const endWith = (entry: Cached) => ({ entry, caused: hasBegun && entry.fetchId === fetchId });

    let found = first;
    for (;;) {
      const { state, entry, failure } = found;
      const isSame = found.fetchId === fetchId;
      if (state === 'run' || state === 'alone') {
        if (state === 'run' && isSame && hasJob && workers.leftWaiting()) {
          log.warn({ event: 'worker_stalled', key, waited_ms: PICK_UP_MS });
        }
        scope.trace.fetchId = found.fetchId;
        const own = await run(request, found, scope.trace.traceId, scope.signal);
        return { entry: own, caused: true };
      }
      if (state === 'entry' && entry) return endWith(entry);
      if (state === 'failed' && failure && isSame) throw failed(failure);
      // Lost with the process that ran it, or its end is on its way: once more, and then it is begun.
      let isAbandoned = state === 'none' || state === 'failed';
      if (!isAbandoned) {
        hasBegun = state === 'new' || (isSame && hasBegun);
        hasJob &&= isSame;
        fetchId = found.fetchId;
        // The records of the request name it, should it fail.
        scope.trace.fetchId = fetchId;
      }
      if (state === 'new' && workers.areThere) {
        workers.hasJob();
        const job = { request, freshForMs: 0, traceId: scope.trace.traceId };
        // Not from the request's time for Redis: a worker answers it over the channel.
        const added = jobs.add(fetchId, job).then(() => true);
        hasJob = await ifUnavailable(added, false);
        isAbandoned = !hasJob;
      }

      const announced = await nextAnnouncement(listening, isAbandoned, scope.signal);
      // A late message of an earlier fetch tells nothing about this one.
      if (announced?.fetchId === fetchId) {
        if (announced.entry) return endWith(announced.entry);
        if (announced.failure) throw failed(announced.failure);
        isAbandoned = true;
      }
      found = await find(key, { mayBegin: isAbandoned, isAbandoned });
    }
  }

  async function nextAnnouncement(listening: Listening, isAbandoned: boolean, ending: AbortSignal) {
    waiting += 1;
    try {
      const pollMs = workers.areThere && !isAbandoned ? POLL_MS : PROMPT_POLL_MS;
      return await listening.next(Math.max(pollMs, waiting * POLL_APART_MS), ending);
    } finally {
      waiting -= 1;
    }
  }

  async function refreshNow(request: FetchRequest): Promise<void> {
    const question = { mayBegin: true, isAbandoned: false, freshForMs: refreshAheadMs };
    const found = await find(requestKey(request), question);
    if (found.state === 'new') {
      workers.hasJob();
      await jobs.add(found.fetchId, { request, freshForMs: refreshAheadMs });
    }
    // It belongs to no request's trace.
    if (found.state === 'run') await run(request, found, undefined, signal);
  }

  return {
    ask,
    refresh(request) {
      if (!workers.areThere && !hasPlace()) return false;
      // When it fails, the entry is fetched once it has expired.
      refreshNow(request).catch(() => undefined);
      return true;
    },
  };
}

function failed({ message, retryAfterMs }: Failure): ServiceUnavailableError {
  return new ServiceUnavailableError(message, { retryAfterMs });
}
