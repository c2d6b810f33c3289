import { ifUnavailable, ServiceUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import type { FetchIdentity, Fetcher } from '../../weather/fetch.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { End, Failure } from './announcements.js';
import { LEASE_MS, type FetchRecords } from './record.js';

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

/** @returns `settled` resolves when nothing runs, and Redis has heard of all ends or cannot */
export function createRuns(options: { records: FetchRecords; fetcher: Fetcher; by: End['by'] }): {
  run: RunFetch;
  settled: () => Promise<void>;
} {
  const { records, fetcher, by } = options;
  const ends = new Set<Promise<unknown>>();

  /** An end that Redis does not hear of is found out by the others: the record expires. */
  async function endWith(
    fetched: Promise<Cached>,
    key: string,
    { fetchId, uncoordinated }: FetchIdentity,
    signal: AbortSignal,
  ): Promise<void> {
    const renew = () => {
      records.renew(key, fetchId).catch(() => undefined);
    };
    // Redis may have queued it, and have said so too late.
    if (uncoordinated !== undefined) renew();
    const renewals = setInterval(renew, LEASE_MS / 3);
    const outcome = await fetched.then(
      (entry) => ({ entry }),
      (error: unknown) => (signal.aborted ? {} : { failure: failureOf(error) }),
    );
    clearInterval(renewals);
    await ifUnavailable(records.end(key, { fetchId, by, ...outcome }), undefined);
  }

  return {
    run(request, identity, signal) {
      const fetched = fetcher(request, identity, signal);
      const end = endWith(fetched, requestKey(request), identity, signal);
      ends.add(end);
      void end.finally(() => ends.delete(end));
      return fetched;
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
