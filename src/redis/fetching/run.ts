import { ifUnavailable, ServiceUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import type { FetchIdentity, Fetcher } from '../../weather/fetch.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Scope } from '../../weather/scope.js';
import type { Failure } from './announcements.js';
import { LEASE_MS, type End, type FetchRecords } from './record.js';

/** When a failure does not say how long to wait, in milliseconds. */
const RETRY_AFTER_MS = 5000;

/**
 * Runs a fetch that Redis gave to this process: keeps its record alive, and ends it with what came
 * of it, whatever that is.
 * @returns the entry, and the process that answers for the fetch as far as Redis could tell
 * @param given the fetch's identity and the token of this run
 * @param scope bounds the wait until Redis has heard of the end; without it, the store's own limit
 * @throws ServiceUnavailableError when the fetch failed; those who wait for it were told
 * @throws the signal's reason when it aborts; the fetch is free to be run by somebody else then
 */
export type RunFetch = (
  request: FetchRequest,
  given: FetchIdentity & { token: string },
  signal: AbortSignal,
  scope?: Scope,
) => Promise<{ cached: Cached; asker: string | undefined }>;

export function createRunFetch(options: {
  records: FetchRecords;
  fetcher: Fetcher;
  by: End['by'];
}): RunFetch {
  const { records, fetcher, by } = options;

  return async (request, given, signal, scope) => {
    const key = requestKey(request);
    const heartbeat = setInterval(() => {
      records.renew(key, given.token).catch(() => undefined);
    }, LEASE_MS / 3);
    // An end that Redis does not hear of is found out by the others: the record expires.
    const end = (outcome: End['outcome']) =>
      ifUnavailable(records.end(key, { ...given, by, outcome }, scope), undefined);
    try {
      const cached = await fetcher(request, given, signal);
      return { cached, asker: await end({ cached }) };
    } catch (error) {
      await end(signal.aborted ? undefined : { failure: failureOf(error) });
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  };
}

function failureOf(error: unknown): Failure {
  return error instanceof ServiceUnavailableError
    ? { message: error.message, retryAfterMs: error.retryAfterSeconds * 1000 }
    : { message: 'The upstream service did not answer', retryAfterMs: RETRY_AFTER_MS };
}
