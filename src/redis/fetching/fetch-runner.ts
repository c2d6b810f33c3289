import { ServiceUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import { keyOf } from '../../weather/kind.js';
import type { FetchJob } from './fetch-jobs.js';
import type { Parts } from './index.js';
import type { FetchMessage } from './messages.js';
import { LOCK_MS, type SharedEntries } from './shared-entries.js';

interface RunOptions {
  fetchId: string;
  /** Why the fetch runs without the lock, if it does. */
  uncoordinated?: string | undefined;
  onStart?: () => void;
}

export type FetchRunner = ReturnType<typeof createFetchRunner>;

/** Runs the fetches of this process, each under the lock of its key. */
export function createFetchRunner(entries: SharedEntries, { fetcher, clock, signal }: Parts) {
  const running = new Map<string, Promise<Cached<unknown> | undefined>>();
  const finishing = new Set<Promise<void>>();

  /** Does not wait for Redis. If Redis is unavailable, the lock expires. */
  function finish(message: FetchMessage): void {
    const sent = entries.finish(message).catch(() => undefined);
    const finished = sent.finally(() => finishing.delete(finished));
    finishing.add(finished);
  }

  async function start<Request, Value>(
    { kind, request, freshForMs, traceId }: FetchJob<Request, Value>,
    { fetchId, uncoordinated, onStart }: RunOptions,
  ): Promise<Cached<Value> | undefined> {
    const key = keyOf(kind, request);
    const lock = () => entries.read(kind, key, fetchId, { patient: true });
    if (uncoordinated === undefined) {
      const { entry, runningFetchId } = await lock();
      if (runningFetchId !== fetchId) return undefined;
      if (entry && entry.freshUntil - clock.monotonic() > freshForMs) {
        finish({ key, fetchId });
        return undefined;
      }
    }
    onStart?.();
    const renewal = setInterval(() => void lock().catch(() => undefined), LOCK_MS / 4);
    try {
      const entry = await fetcher(kind, request, { fetchId, traceId, uncoordinated }, signal);
      finish({ key, fetchId, entry });
      return entry;
    } catch (error) {
      const isExpected = error instanceof ServiceUnavailableError;
      const failure = isExpected ? error : new ServiceUnavailableError('The fetch failed');
      finish(signal.aborted ? { key, fetchId } : { key, fetchId, failure });
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  return {
    /**
     * Runs a fetch, or joins the one that this process runs for its key. Returns undefined if another process runs it or
     * has stored a fresh entry.
     * @throws StoreUnavailableError if the lock cannot be taken; what the fetcher throws
     */
    run<Request, Value>(job: FetchJob<Request, Value>, options: RunOptions) {
      const key = keyOf(job.kind, job.request);
      const result = running.get(key) ?? start(job, options).finally(() => running.delete(key));
      running.set(key, result);
      // The key begins with the name of the kind.
      return result as Promise<Cached<Value> | undefined>;
    },
    /** Resolves when the ends of all fetches are in Redis, or Redis is unavailable. */
    settled: () => Promise.all(finishing).then(() => undefined),
  };
}
