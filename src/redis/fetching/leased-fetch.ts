import { randomUUID } from 'node:crypto';
import { ServiceUnavailableError, StoreUnavailableError } from '../../errors.js';
import type { Cache, Cached } from '../../weather/cache.js';
import type { Fetcher } from '../../weather/fetch.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Clock } from '../../weather/types.js';
import { announce, type Announcement } from './announcements.js';
import type { FetchState, Lease } from './fetch-state.js';
import type { RedisStore } from '../client/store.js';

export interface LeasedFetchOptions {
  store: RedisStore;
  state: FetchState;
  cache: Cache;
  fetcher: Fetcher;
  clock: Clock;
  by: Announcement['by'];
}

/**
 * Fetches a key unless somebody else is at it: under a lease, after a last look at the cache,
 * with the entry written and the end announced. Workers and replicas fetch through this only, so
 * that at most one of them fetches a key at a time.
 * @param order.cause goes into the entry, see `Cached`
 * @param order.staleAfterMs an entry that is still fresh for longer than this is left as it is
 * @returns the entry and whether it was fetched now, or undefined when somebody else is at it
 * @throws ServiceUnavailableError when the fetch failed (its waiters were told)
 * @throws StoreUnavailableError when no lease could be had
 */
export type LeasedFetch = (
  request: FetchRequest,
  signal: AbortSignal,
  order: { cause?: string | undefined; staleAfterMs: number },
) => Promise<{ entry: Cached; fetched: boolean } | undefined>;

export function createLeasedFetch(options: LeasedFetchOptions): LeasedFetch {
  const { store, state, cache, fetcher, clock, by } = options;

  return async (request, signal, { cause, staleAfterMs }) => {
    const key = requestKey(request);
    const lease = await state.lease(key);
    if (!lease) return undefined;
    try {
      const present = await orMissing(cache.get(key));
      if (present && present.freshUntil - clock.monotonic() > staleAfterMs) {
        return { entry: present, fetched: false };
      }
      const fetched = await fetcher(request, signal);
      const entry = { ...fetched, cause };
      await orMissing(cache.set(key, entry));
      await orMissing(announce(store, { key, by }));
      return { entry, fetched: true };
    } catch (error) {
      // Ended by our own shutdown: the lease goes back, and a waiter takes over.
      if (!signal.aborted) await tell(key, lease, error);
      throw error;
    } finally {
      await orMissing(release(lease));
    }
  };

  async function tell(key: string, lease: Lease, error: unknown): Promise<void> {
    const known = error instanceof ServiceUnavailableError;
    const failure = {
      id: randomUUID(),
      message: known ? error.message : 'The upstream service did not answer',
      retryAfterMs: known ? error.retryAfterSeconds * 1000 : 5000,
    };
    if (await orMissing(lease.fail(failure))) {
      await orMissing(announce(store, { key, by, failure }));
    }
  }
}

async function release(lease: Lease): Promise<void> {
  await lease.release();
}

/** The fetched entry is what counts: a store that fails beside it must not lose it. */
async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}
