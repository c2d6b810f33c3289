/** Repeats a search that failed. */
import { ask, type Failure } from '../service/api-client.js';
import type { Clock } from '../view/clock.js';
import type { View } from '../view/view.js';

/** The first and the longest pause between two checks whether the service is available again. */
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 16_000;

interface FailedSearch {
  failure: Failure;
  /** Aborts when the user starts another search. */
  signal: AbortSignal;
  /** Number of earlier attempts without a response. */
  attempt: number;
  retry: (attempt: number) => void;
}

/** Offers a retry after `Retry-After`. If the service did not respond, retries as soon as it is available. */
export async function retryLater(
  { failure, signal, attempt, retry }: FailedSearch,
  view: View,
  clock: Clock,
): Promise<void> {
  const { retryAfter, status } = failure;
  if (retryAfter > 0) {
    view.offerRetry(clock.now() + retryAfter * 1000, () => {
      retry(0);
    });
  } else if (status === 0 && (await waitUntilAvailable(signal, attempt, clock))) {
    retry(attempt + 1);
  }
}

/** Checks the health of the service with exponential backoff. @returns false if the signal aborts first */
async function waitUntilAvailable(
  signal: AbortSignal,
  attempt: number,
  clock: Clock,
): Promise<boolean> {
  for (let backoff = MIN_BACKOFF_MS * 2 ** attempt; !signal.aborted; backoff *= 2) {
    await clock.sleep(Math.min(backoff, MAX_BACKOFF_MS));
    try {
      await ask('api/v1/health/live', signal);
      return true;
    } catch {
      // The service is still unavailable.
    }
  }
  return false;
}
