import { randomUUID } from 'node:crypto';
import {
  ifUnavailable,
  LateReplyError,
  ServiceUnavailableError,
  StoreUnavailableError,
} from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import type { Asked, FetchEnd, FetchQueue } from '../../weather/queue.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import { STORE_TIME_MS, type Scope, type StoreTime } from '../../weather/scope.js';
import type { TraceParent } from '../../weather/trace.js';
import type { Clock } from '../../weather/types.js';
import type { Announcements, End, Failure, Listening } from './announcements.js';
import type { FetchJobs } from './jobs.js';
import { insisting, PICK_UP_MS, type FetchRecords, type Found } from './record.js';
import type { RunFetch } from './run.js';
import type { Workers } from './workers.js';

/** A waiter asks this often for what it may have missed. Doubled: 1 s late after a lost message. */
const POLL_MS = 500;
/** The same where nobody else may run the fetch. Doubled: a crowd begins fetches half as often. */
const PROMPT_POLL_MS = 100;

/** What Redis says, or `away`: it could not be asked. Then the id is the one that was asked with. */
type Word = Found | { state: 'away'; fetchId: string; reason: string };

/** One fetch per key over all processes. README.md in this folder describes its life. */
export function createRedisFetchQueue(options: {
  records: FetchRecords;
  jobs: FetchJobs;
  announcements: Announcements;
  workers: Workers;
  runFetch: RunFetch;
  /** The most fetches that this process runs at once for all processes. */
  maxRuns: number;
  refreshAheadMs: number;
  clock: Clock;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): FetchQueue {
  const { records, jobs, announcements, workers, runFetch, clock, signal } = options;
  const { maxRuns, refreshAheadMs } = options;
  /** By fetches that this process runs for all processes, and by questions that may bring it one. */
  let slotsTaken = 0;

  /**
   * Asks the record of a key. With `run` a slot of this process is taken until `run()` ends.
   * @param mayBegin whether the question begins a fetch where there is none
   * @param isAbandoned whether nobody else runs the fetch
   */
  async function ask(
    key: string,
    question: { mayBegin: boolean; isAbandoned: boolean; freshForMs?: number; runner?: string },
    time?: StoreTime,
  ): Promise<Word> {
    const { mayBegin, isAbandoned, freshForMs = 0, runner } = question;
    const ownId = randomUUID();
    const newId = mayBegin ? ownId : undefined;
    const takesSlot = slotsTaken < maxRuns;
    const waitsMs = isAbandoned || !workers.areThere ? 0 : PICK_UP_MS;
    const runAfterMs = takesSlot ? waitsMs : undefined;
    if (takesSlot) slotsTaken += 1;
    let found: Found | undefined;
    try {
      found = await records.ask(key, { newId, runAfterMs, freshForMs, runner }, time);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { state: 'away', fetchId: ownId, reason: error.message };
    } finally {
      if (takesSlot && found?.state !== 'run') slotsTaken -= 1;
    }
    return found.state === 'alone' ? { ...found, fetchId: ownId } : found;
  }

  /**
   * Runs a fetch that was found to `run`, or that this process runs alone. Redis may have given it the
   * fetch without a word, so it does so under the id that it asked with.
   */
  async function run(
    request: FetchRequest,
    word: Word,
    parent: TraceParent | undefined,
    ending: AbortSignal,
    time: StoreTime,
  ): Promise<Cached> {
    const uncoordinated = 'reason' in word ? word.reason : undefined;
    try {
      const identity = { fetchId: word.fetchId, parent, uncoordinated };
      return await runFetch(request, identity, ending, time);
    } finally {
      if (word.state === 'run') slotsTaken -= 1;
    }
  }

  /** Nobody waits here any more for a fetch that was begun, or was to be run. Others may want it. */
  function giveBack(key: string, fetchId: string, state: Word['state']): void {
    if (state === 'run') slotsTaken -= 1;
    if (state !== 'run' && state !== 'new') return;
    const end = records.end(key, { fetchId, by: 'replica' }, state === 'new' ? 'queued' : '');
    void ifUnavailable(end, undefined);
    if (state === 'new') jobs.remove(fetchId).catch(() => undefined);
  }

  /** Waits for the end of a fetch, and runs it when nobody else does. */
  async function untilEnd(
    request: FetchRequest,
    first: Word,
    listening: Listening,
    scope: Scope,
  ): Promise<FetchEnd> {
    const key = requestKey(request);
    const runner = randomUUID();
    /** The fetch that it waits for; empty while none is known. */
    let fetchId = '';
    let hasBegun = false;
    /** Nobody runs it, as far as is known. */
    let isAbandoned = true;
    let awaySince: number | undefined;
    let word: Word | undefined = first;
    let asking: Promise<Word> | undefined;
    const endWith = (entry: Cached) => ({ entry, caused: hasBegun && entry.fetchId === fetchId });

    /** Runs it, and goes on listening: the first answer counts. */
    async function runOrHear(own: Word): Promise<FetchEnd> {
      scope.trace.fetchId = own.fetchId;
      const heard = new AbortController();
      const ending = AbortSignal.any([scope.signal, heard.signal]);
      const running = run(request, own, scope.trace.parent, ending, scope);
      running.catch(() => undefined);
      for (;;) {
        const announced = await listening.next(running, scope.signal);
        if (!announced) return { entry: await running, caused: true };
        if (announced.fetchId !== fetchId || !announced.entry) continue;
        heard.abort(new Error('Another process has fetched it'));
        return endWith(announced.entry);
      }
    }

    try {
      for (;;) {
        if (word?.state === 'away') {
          awaySince ??= clock.monotonic();
          // Whoever runs it goes on, and a hiccup of Redis is over sooner.
          const isKept = !isAbandoned && clock.monotonic() - awaySince < PICK_UP_MS;
          if (!isKept) return await runOrHear(hasBegun ? { ...word, fetchId } : word);
        } else if (word) {
          const { state, entry, failure } = word;
          const isSame = word.fetchId === fetchId;
          awaySince = undefined;
          if (state === 'run' || state === 'alone') return await runOrHear(word);
          if (state === 'entry' && entry) return endWith(entry);
          if (state === 'failed' && failure && isSame) throw failed(failure);
          // Lost with the process that ran it, or its end is on its way: once more, and then it is begun.
          isAbandoned = state === 'none' || state === 'failed';
          if (!isAbandoned) {
            hasBegun = state === 'new' || (isSame && hasBegun);
            fetchId = word.fetchId;
            // The records of the request name it, should it fail.
            scope.trace.fetchId = fetchId;
          }
          if (state === 'new' && workers.areThere) {
            const job = { request, freshForMs: 0, parent: scope.trace.parent };
            const given: End = { fetchId, by: 'replica' };
            jobs.add(fetchId, job).catch((error: unknown) => {
              // A late one may be there all the same.
              if (!(error instanceof LateReplyError)) listening.tell({ key, ...given });
            });
          }
        }
        word = undefined;

        const pollMs = workers.areThere && !isAbandoned ? POLL_MS : PROMPT_POLL_MS;
        const announced = await listening.next(asking ?? pollMs, scope.signal);
        // A late message of an earlier fetch tells nothing about this one.
        if (announced && announced.fetchId !== fetchId) continue;
        if (announced?.entry) return endWith(announced.entry);
        if (announced?.failure) throw failed(announced.failure);
        if (announced) isAbandoned = true;
        else if (asking) {
          word = await asking;
          asking = undefined;
          continue;
        }
        asking ??= ask(key, { mayBegin: isAbandoned, isAbandoned, runner }, insisting());
      }
    } catch (error) {
      if (scope.signal.aborted && hasBegun) giveBack(key, fetchId, 'new');
      throw error;
    } finally {
      asking?.then(
        ({ fetchId: id, state }) => {
          giveBack(key, id, state);
        },
        () => undefined,
      );
    }
  }

  async function refreshNow(request: FetchRequest): Promise<void> {
    const question = { mayBegin: true, isAbandoned: false, freshForMs: refreshAheadMs };
    const word = await ask(requestKey(request), question);
    if (word.state === 'new') await jobs.add(word.fetchId, { request, freshForMs: refreshAheadMs });
    // It belongs to no request's trace.
    if (word.state === 'run') {
      await run(request, word, undefined, signal, { storeMs: STORE_TIME_MS });
    }
  }

  return {
    async ask(request, scope, mayFetch): Promise<Asked> {
      const key = requestKey(request);
      // Before the question, so that no announcement is missed.
      const listening = announcements.listen(key);
      const word = await ask(key, { mayBegin: mayFetch, isAbandoned: false }, scope);
      const isAlone = word.state === 'alone' || word.state === 'away';
      const { entry, failure } = word.state === 'away' ? {} : word;
      const isFetch = !['entry', 'none', 'failed'].includes(word.state);
      if (isFetch && (mayFetch || !isAlone)) {
        const end = untilEnd(request, word, listening, scope).finally(() => {
          listening.stop();
        });
        return { kind: 'fetch', stale: entry, end };
      }
      listening.stop();
      if (word.state === 'entry' && entry) return { kind: 'entry', entry };
      return { kind: 'none', stale: entry, failure: failure && failed(failure) };
    },
    refresh(request) {
      if (!workers.areThere && slotsTaken >= maxRuns) return false;
      // When it fails, the entry is fetched once it has expired.
      refreshNow(request).catch(() => undefined);
      return true;
    },
  };
}

function failed({ message, retryAfterMs }: Failure): ServiceUnavailableError {
  return new ServiceUnavailableError(message, { retryAfterMs });
}
