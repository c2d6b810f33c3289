import type { Job } from 'bullmq';
import { keyOf } from '../../weather/kind.js';
import { MAX_JOB_AGE_MS, PATIENT_MS } from '../client/timing.js';
import { readJob } from './job-queue.js';
import type { FetchingParts } from './fetching-parts.js';

/**
 * Creates the function that runs a job. The function drops a job that is invalid or too old. If there is neither a
 * fresh entry nor a lock of another process, it fetches a value, stores it, and publishes it. It throws the errors of
 * the fetcher, and StoreUnavailableError.
 */
export function createJobProcessor(parts: FetchingParts) {
  const { kinds, log, config, entries, fetcher } = parts;
  const { ending } = parts.lifecycle;
  const maxJobAgeMs = Math.min(MAX_JOB_AGE_MS, config.requestTimeoutMs);

  return async ({ data, timestamp }: Pick<Job<unknown>, 'data' | 'timestamp'>): Promise<void> => {
    const job = readJob(kinds, data);
    if (!job) {
      log.info({ event: 'fetch_job_dropped', reason: 'invalid' });
      return;
    }
    const { kind, request, fetchId, freshForMs, traceId } = job;
    const key = keyOf(kind, request);
    const { entry, isLocked, redisMs } = await entries.read(kind, key, { waitMs: PATIENT_MS });
    if (redisMs - timestamp > maxJobAgeMs) {
      log.info({ event: 'fetch_job_dropped', reason: 'expired', key, fetch_id: fetchId });
      return;
    }
    if (isLocked || entries.isFresh(entry, freshForMs)) return;
    const fetched = await fetcher(kind, request, { fetchId, traceId }, ending);
    await entries.finish({ key, fetchId }, fetched);
  };
}
