import { randomUUID } from 'node:crypto';
import { StoreUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import { keyOf } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { Scope } from '../../weather/scope.js';
import type { FetchJob, FetchJobs } from './fetch-jobs.js';
import type { FetchRunner } from './fetch-runner.js';
import type { Parts } from './index.js';
import type { FetchMessages } from './messages.js';
import type { EntryState, SharedEntries } from './shared-entries.js';

/** Milliseconds after which a process runs a fetch itself that no worker has started. */
const START_WAIT_MS = 2000;
/** Milliseconds for which the process waits for no worker after that. */
const NO_WORKER_MS = 30_000;
/** Milliseconds between two reads of an entry. Longer: a lost message costs more. Shorter: more load for Redis. */
const POLL_MS = 2000;
/** The same for the first read: a job that was added while the last one of its key ended is added again. */
const FIRST_POLL_MS = 100;
/** The same while Redis is unavailable. */
const RETRY_MS = 250;
/** Milliseconds between two attempts to get a concurrency slot. */
const SLOT_WAIT_MS = 50;

/** What a process knows about a key. */
interface View<Value> extends EntryState<Value> {
  isWorkerExpected: boolean;
  /** Why Redis cannot be used, if it cannot. */
  unavailable?: string;
}

/** One fetch for each key over all processes. README.md in this folder describes it. */
export function createSharedFetch(
  {
    entries,
    jobs,
    messages,
    runner,
  }: {
    entries: SharedEntries;
    jobs: FetchJobs;
    messages: FetchMessages;
    runner: FetchRunner;
  },
  { clock, log, maxRuns, refreshAheadMs }: Parts,
): FetchQueue {
  let freeSlots = maxRuns;
  let noWorkerUntil = -Infinity;

  async function look<Request, Value>(job: FetchJob<Request, Value>): Promise<View<Value>> {
    const reading = entries.read(job.kind, keyOf(job.kind, job.request));
    try {
      const [state, isAlive] = await Promise.all([reading, jobs.hasWorker()]);
      return { ...state, isWorkerExpected: isAlive && clock.monotonic() >= noWorkerUntil };
    } catch (error) {
      const unavailable = error instanceof Error ? error.message : String(error);
      return { runningFetchId: '', isWorkerExpected: false, unavailable };
    }
  }

  function noWorkerStarted(): void {
    const now = clock.monotonic();
    // While it lasts, it is logged once.
    const isNew = now > noWorkerUntil + NO_WORKER_MS;
    if (isNew) log.warn({ event: 'fetch_jobs_not_started', waited_ms: START_WAIT_MS });
    noWorkerUntil = now + NO_WORKER_MS;
  }

  /** Waits for a fresh entry, and runs its fetch if no other process does. */
  async function fetchShared<Request, Value>(
    job: FetchJob<Request, Value>,
    first: View<Value>,
    listening: ReturnType<FetchMessages['listen']>,
    { signal, trace }: Scope,
  ): Promise<Cached<Value>> {
    const fetchId = randomUUID();
    const startTime = ({ isWorkerExpected }: View<Value>) =>
      clock.monotonic() + (isWorkerExpected ? START_WAIT_MS : 0);
    let view = first;
    /** When this process runs the fetch, unless it is in flight. */
    let startAt = startTime(view);
    let pollAt = clock.monotonic() + FIRST_POLL_MS;
    let hasJob = false;
    const onStart = () => {
      trace.fetchId = fetchId;
      if (hasJob && view.unavailable === undefined) noWorkerStarted();
    };

    for (;;) {
      const isInFlight = view.runningFetchId !== '';
      const isDue = !isInFlight && clock.monotonic() >= startAt;
      if (isInFlight) trace.fetchId = view.runningFetchId;
      if (isDue && freeSlots > 0) {
        freeSlots -= 1;
        try {
          const run = { fetchId, uncoordinated: view.unavailable, onStart };
          const entry = await runner.run(job, run);
          if (entry) return entry;
          pollAt = -Infinity;
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          view = { ...view, unavailable: error.message };
          continue;
        } finally {
          freeSlots += 1;
        }
      } else if (!isDue && !isInFlight && view.unavailable === undefined) {
        hasJob = await jobs.add(job).then(
          () => true,
          () => false,
        );
        if (!hasJob) startAt = -Infinity;
      }

      const waitUntil = isInFlight ? pollAt : Math.min(startAt, pollAt);
      const waitMs = isDue ? SLOT_WAIT_MS : Math.max(0, waitUntil - clock.monotonic());
      const message = await listening.next(waitMs, signal);
      if (message) {
        trace.fetchId = message.fetchId;
        if (message.failure) throw message.failure;
        if (message.entry) return message.entry as Cached<Value>;
        // The process that ran the fetch has aborted it.
        startAt = pollAt = -Infinity;
      }
      if (clock.monotonic() < pollAt) continue;
      const next = await look(job);
      if (next.entry && next.entry.freshUntil > clock.monotonic()) return next.entry;
      const isBack = view.unavailable !== undefined && next.unavailable === undefined;
      if (isBack) startAt = startTime(next);
      pollAt = clock.monotonic() + (next.unavailable === undefined ? POLL_MS : RETRY_MS);
      view = next;
    }
  }

  return {
    async ask(kind, request, scope, mayFetch) {
      const job = { kind, request, freshForMs: 0, traceId: scope.trace.traceId };
      // Before the entry is read, so that no message is missed.
      const listening = messages.listen(keyOf(kind, request));
      const view = await look(job);
      const { entry } = view;
      const isFresh = entry !== undefined && entry.freshUntil > clock.monotonic();
      if (isFresh || (!mayFetch && view.runningFetchId === '')) {
        listening.stop();
        return isFresh ? { kind: 'entry', entry } : { kind: 'none', stale: entry };
      }
      const end = fetchShared(job, view, listening, scope).finally(() => {
        listening.stop();
      });
      return { kind: 'fetch', stale: entry, end };
    },
    refresh(kind, request) {
      const job = { kind, request, freshForMs: refreshAheadMs };
      const refresh = async () => {
        const { isWorkerExpected } = await look(job);
        if (isWorkerExpected) await jobs.add(job);
        else await runner.run(job, { fetchId: randomUUID() });
      };
      // If it fails, the entry is fetched when it is no longer fresh.
      refresh().catch(() => undefined);
      return true;
    },
  };
}
