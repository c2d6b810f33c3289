import { randomUUID } from 'node:crypto';
import { ifUnavailable, ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { Semaphore } from '../../upstream/semaphore.js';
import type { FetchIdentity } from '../../weather/fetch.js';
import type { Asked, FetchEnd, FetchQueue } from '../../weather/queue.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import { STORE_TIME_MS, type Scope } from '../../weather/scope.js';
import type { Clock } from '../../weather/types.js';
import type { Announcements, Failure } from './announcements.js';
import type { SharedEntry } from './entry.js';
import type { Demand } from './demand.js';
import { openInbox, type Inbox } from './inbox.js';
import type { FetchJobs } from './jobs.js';
import type { FetchRecords, Found, Mode } from './record.js';
import { createRefresh } from './refresh.js';
import type { RunFetch } from './run.js';
import { waitForTurn, type Turn } from './turn.js';
import type { WorkersPresent } from './workers-present.js';

/** A fetch that no worker has taken by then is run by a replica. */
const PICK_UP_MS = 2000;
/** How often a waiter asks in case that it missed the announcement: at first, and at least. */
const FIRST_POLL_MS = 300;
const SLOWEST_POLL_MS = 2000;
/** The answers of Redis that come one after the other before a worker's result is here. */
const TRIPS_BY_WORKER = 9;
/** A record tells of stalled workers at most this often. */
const STALLED_RECORD_MS = 10_000;

export interface RedisFetchQueueOptions {
  /** Identifies this process. */
  processId: string;
  records: FetchRecords;
  jobs: FetchJobs;
  announcements: Announcements;
  demand: Demand;
  workers: WorkersPresent;
  /** How long Redis takes to answer at the moment, in milliseconds. */
  replyMs: () => number;
  runFetch: RunFetch;
  /** Bounds the fetches that this process runs for itself. */
  slots: Semaphore;
  /** Fetches in this process alone: what is left while Redis is unavailable. */
  local: FetchQueue;
  clock: Clock;
  log: Logger;
  refreshAheadMs: number;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}

/** A request that waits for the fetch of its key. */
interface Waiter {
  request: FetchRequest;
  key: string;
  /** The fetch that it waits for. */
  fetchId: string;
  /** Identifies the run, should this process run the fetch. */
  token: string;
  /** Whether a job that this process added may still wait for a worker. */
  hasJob: boolean;
  scope: Scope;
  inbox: Inbox;
  turn: Turn;
}

/** One fetch per key over all processes. README.md in this folder tells its life. */
export function createRedisFetchQueue(options: RedisFetchQueueOptions): FetchQueue {
  const { processId, records, jobs, announcements, runFetch, slots, local, log } = options;
  const { clock, workers } = options;
  let fetches = 0;
  let stalledRecordAt = -Infinity;

  const newFetchId = () => `${processId}-${(fetches += 1)}`;
  /** A worker's result takes many answers of Redis: a slow Redis leaves no time for them. */
  const useWorkers = () => workers.now && options.replyMs() * TRIPS_BY_WORKER <= STORE_TIME_MS;

  async function ask(request: FetchRequest, scope: Scope, mayFetch: boolean): Promise<Asked> {
    const viaWorker = useWorkers();
    const key = requestKey(request);
    // Before the question, so that no announcement is missed.
    const inbox = openInbox(announcements, key);
    const turn = waitForTurn(slots, viaWorker ? PICK_UP_MS : 0, inbox.wake);
    if (mayFetch && !viaWorker) turn.tryNow();
    const token = randomUUID();
    const fetchId = newFetchId();
    const waiter: Waiter = { request, key, fetchId, token, hasJob: false, scope, inbox, turn };
    try {
      const mode = !mayFetch ? 'look' : turn.isHere ? 'run' : 'queue';
      const { traceId } = scope.trace;
      const question = { mode, fetchId, token, freshForMs: 0, traceId } as const;
      const found = await records.ask(key, question, scope);
      const { state, entry } = found;
      if (state === 'entry' && entry) {
        leave(waiter);
        return { kind: 'entry', entry: entry.cached };
      }
      if (state === 'none') {
        leave(waiter);
        return { kind: 'none', stale: entry?.cached };
      }
      follow(waiter, found.fetchId);
      if (state === 'new' && viaWorker) await addJob(waiter);
      if (state === 'running') turn.leave();
      const end = state === 'run' ? runHere(waiter, found) : wait(waiter);
      return { kind: 'fetch', stale: entry?.cached, end: finish(waiter, end) };
    } catch (error) {
      leave(waiter);
      if (!(error instanceof StoreUnavailableError)) throw error;
      const found = await lookOnce(waiter);
      const entry = found?.entry?.cached;
      if (found?.state === 'entry' && entry) return { kind: 'entry', entry };
      return { ...(await askAlone(waiter, mayFetch, error)), stale: entry } as Asked;
    }
  }

  /** The records of the request name the fetch that it waits for, also when that one fails. */
  function follow(waiter: Waiter, fetchId: string): void {
    waiter.fetchId = fetchId;
    waiter.scope.trace.fetchId = fetchId;
  }

  async function addJob(waiter: Waiter): Promise<void> {
    await jobs.add(waiter.fetchId, { request: waiter.request, freshForMs: 0 }, waiter.scope);
    waiter.hasJob = true;
  }

  function leave({ inbox, turn, hasJob, fetchId }: Waiter): void {
    inbox.close();
    turn.leave();
    // A job for a fetch that is over must not wait for workers that may never come.
    if (hasJob) jobs.remove(fetchId).catch(() => undefined);
  }

  /** Sees the wait to its end; a store that fails meanwhile leaves this process alone. */
  async function finish(waiter: Waiter, end: Promise<FetchEnd>): Promise<FetchEnd> {
    try {
      return await end;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const found = await lookOnce(waiter);
      if (found?.state === 'entry' && found.entry) return endOf(found.entry);
      const asked = await askAlone(waiter, true, error);
      if (asked.kind === 'fetch') return await asked.end;
      if (asked.kind === 'entry') return { entry: asked.entry, caused: false };
      throw new ServiceUnavailableError('The fetch was lost', { cause: error });
    } finally {
      leave(waiter);
    }
  }

  /** A Redis that only refuses writes still tells what it has. */
  function lookOnce({ key, scope }: Waiter): Promise<Found | undefined> {
    const question = { mode: 'look', fetchId: '', token: '', freshForMs: 0 } as const;
    return ifUnavailable(records.ask(key, question, scope), undefined);
  }

  /** Without the others. */
  function askAlone(
    { request, key, scope }: Waiter,
    mayFetch: boolean,
    error: StoreUnavailableError,
  ): Promise<Asked> {
    if (mayFetch) log.warn({ event: 'fetch_uncoordinated', key, reason: error.message });
    return local.ask(request, scope, mayFetch);
  }

  async function runHere(
    { request, token, scope }: Waiter,
    { fetchId, traceId }: FetchIdentity,
  ): Promise<FetchEnd> {
    scope.trace.fetchId = fetchId;
    const given = { fetchId, traceId, token };
    const { cached, asker } = await runFetch(request, given, scope.signal, scope);
    return { entry: cached, caused: asker === undefined || asker === processId };
  }

  async function wait(waiter: Waiter): Promise<FetchEnd> {
    const { scope, inbox, turn } = waiter;
    let pollMs = FIRST_POLL_MS;
    for (;;) {
      const told = await inbox.next(pollMs, scope.signal);
      if (told?.by === 'worker') waiter.hasJob = false;
      // A late message of an earlier fetch tells nothing about this one.
      if (told?.fetchId === waiter.fetchId) {
        if (told.entry) return endOf(told.entry);
        if (told.failure) throw failed(told.failure);
      }
      if (!told && !turn.isHere) pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS);
      const end = await poll(waiter);
      if (end) return end;
    }
  }

  /** Asks for what may have been missed, and runs the fetch when nobody else does. */
  async function poll(waiter: Waiter): Promise<FetchEnd | undefined> {
    const { key, token, turn, scope } = waiter;
    const { traceId } = scope.trace;
    const mode: Mode = turn.isHere ? 'run' : 'wait';
    const question = { mode, fetchId: newFetchId(), token, freshForMs: 0, traceId };
    const found = await records.ask(key, question);
    const { state, fetchId, entry, failure } = found;
    if (state === 'entry' && entry) return endOf(entry);
    if (failure?.fetchId === waiter.fetchId) throw failed(failure);
    if (state === 'run') {
      if (waiter.hasJob) tellStalled(key);
      return runHere(waiter, found);
    }
    // Lost with the process that ran it: nobody need wait for a worker again.
    if (state === 'none') turn.hurry();
    else follow(waiter, fetchId);
    if (state === 'running') turn.leave();
    return undefined;
  }

  function endOf({ cached, asker }: SharedEntry): FetchEnd {
    return { entry: cached, caused: asker === processId };
  }

  function tellStalled(key: string): void {
    if (!workers.doubt(PICK_UP_MS)) return;
    if (clock.monotonic() - stalledRecordAt < STALLED_RECORD_MS) return;
    stalledRecordAt = clock.monotonic();
    log.warn({ event: 'worker_stalled', key, waited_ms: PICK_UP_MS });
  }

  return { ask, noteDemand: createRefresh({ ...options, useWorkers, newFetchId }) };
}

function failed(failure: Failure): ServiceUnavailableError {
  return new ServiceUnavailableError(failure.message, { retryAfterMs: failure.retryAfterMs });
}
