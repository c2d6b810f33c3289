import { ifUnavailable, ServiceUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import type { FetchIdentity, Fetcher } from '../../weather/fetch.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Failure } from './announcements.js';
import { LEASE_MS, type End, type FetchRecords } from './record.js';

/** When a failure does not say how long to wait. Doubled: `Retry-After` says 10 s instead of 5. */
const RETRY_AFTER_MS = 5000;

/**
 * Runs a fetch: keeps its record alive, and ends it with what came of it. The caller has the outcome
 * without a wait for Redis. A run that holds no record, because Redis is unavailable or was too late
 * to say so, leaves Redis as it is.
 * @throws ServiceUnavailableError when the fetch failed; those who wait for it are told
 * @throws the signal's reason when it aborts; the fetch is free to be run by somebody else then
 */
export type RunFetch = (
  request: FetchRequest,
  identity: FetchIdentity,
  signal: AbortSignal,
) => Promise<Cached>;

export interface Runs {
  /** @param by who runs the fetches */
  runner(by: End['by']): RunFetch;
  /** Resolves when Redis has heard of the end of all that runs, or cannot hear of it. */
  settled(): Promise<void>;
}

export function createRuns(records: FetchRecords, fetcher: Fetcher): Runs {
  const ends = new Set<Promise<unknown>>();

  /** An end that Redis does not hear of is found out by the others: the record expires. */
  function end(key: string, ended: End): void {
    const told = ifUnavailable(records.end(key, ended), undefined).finally(() => ends.delete(told));
    ends.add(told);
  }

  return {
    runner: (by) => async (request, identity, signal) => {
      const key = requestKey(request);
      const { fetchId } = identity;
      const heartbeat = setInterval(() => {
        records.renew(key, fetchId).catch(() => undefined);
      }, LEASE_MS / 3);
      try {
        const cached = await fetcher(request, identity, signal);
        end(key, { fetchId, by, outcome: { cached } });
        return cached;
      } catch (error) {
        const outcome = signal.aborted ? undefined : { failure: failureOf(error) };
        end(key, { fetchId, by, outcome });
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
    },
    async settled() {
      await Promise.allSettled(ends);
    },
  };
}

function failureOf(error: unknown): Failure {
  return error instanceof ServiceUnavailableError
    ? { message: error.message, retryAfterMs: error.retryAfterSeconds * 1000 }
    : { message: 'The upstream service did not answer', retryAfterMs: RETRY_AFTER_MS };
}
