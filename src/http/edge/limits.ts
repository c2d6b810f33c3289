import { mapMaybePromise } from '../../base/map-maybe-promise.js';
import {
  createLimiter,
  fetchLimitOf,
  LIMIT_NAMES,
  type LimitName,
  type RateLimits,
  type RequestGroup,
  type Verdict,
} from '../../limits/limiter.js';
import type { NamedClient } from '../../limits/clients-file.js';
import type { Windows, WindowState } from '../../limits/rate-limit-window.js';
import { FetchLimitError } from '../../weather/errors.js';
import type { RequestState } from '../context.js';
import { RATE_LIMIT_TITLE, type Failure } from '../error-answers.js';

const MEANINGS: Record<LimitName, string> = {
  per_ip: 'requests per client address',
  per_client: 'requests of this client',
  total: 'requests in total',
  fetches: 'requests per client for places that are not in the cache',
};

export type CountRequest = ReturnType<typeof createLimits>;

/**
 * Creates the function that counts requests, rejects them above a limit (throttling, 429), and
 * makes their headers. A public response that is not a rejection has none, because shared caches
 * store it for all clients.
 * @param options.now the clock of this process, which is also that of `Date`
 * @param options.dryRun whether requests above a limit are only reported
 */
export function createLimits(options: {
  limits: RateLimits;
  windowsOf: (group: RequestGroup) => Windows;
  now: () => number;
  dryRun: boolean;
}) {
  const { limits, windowsOf, now, dryRun } = options;
  const limiters = {
    weather: createLimiter('weather', limits, windowsOf('weather')),
    searches: createLimiter('searches', limits, windowsOf('searches')),
    suggestions: createLimiter('suggestions', limits, windowsOf('suggestions')),
    fetches: createLimiter('fetches', limits, windowsOf('weather')),
  };

  /** Sets headers and log fields by a verdict. Returns the failure if the request is rejected. */
  function applyVerdict(
    verdict: Verdict,
    state: RequestState,
    isPublic: boolean,
  ): Failure | undefined {
    const { rejectedBy } = verdict;
    const window = tightest(verdict);
    if (!window) return undefined;
    const isRejected = rejectedBy !== undefined && !dryRun;
    if (rejectedBy) state[dryRun ? 'wouldReject' : 'rejectedBy'] = rejectedBy;
    if (isPublic && !isRejected) return undefined;
    state.limitHeaders = headersOf(verdict, window);
    return isRejected ? rejectionOf(window, rejectedBy) : undefined;
  }

  function headersOf(verdict: Verdict, window: WindowState): string[] {
    const { limit, remaining, resetMs } = window;
    const headers = rateLimitFields(verdict);
    headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
    headers.push('X-RateLimit-Reset', String(Math.ceil((now() + resetMs) / 1000)));
    if (dryRun && verdict.rejectedBy) headers.push('X-RateLimit-Dry-Run', verdict.rejectedBy);
    return headers;
  }

  /** Counts the first fetch that a request is about to start. @throws FetchLimitError */
  async function countFetch(state: RequestState, isPublic: boolean): Promise<void> {
    delete state.scope.countFetch;
    const client = clientOf(state);
    const verdict = await limiters.fetches(state.identity, client);
    const { rejectedBy, fetches: window } = verdict;
    if (!rejectedBy || !window) return;
    const headers = headersOf(verdict, window);
    if (dryRun) {
      state.wouldReject = rejectedBy;
      if (!isPublic) state.limitHeaders = headers;
      return;
    }
    state.rejectFetch = async () => {
      state.rejectedBy = rejectedBy;
      state.limitHeaders = headers;
      // A rejected request does not count.
      await limiters.weather(state.identity, client, -1);
    };
    const message = rejectionMessage(window, rejectedBy);
    throw new FetchLimitError(message, { retryAfterMs: window.resetMs });
  }

  /** Counts a request. Returns the failure if it is rejected. */
  return function countRequest(
    state: RequestState,
    group: RequestGroup,
    isPublic: boolean,
  ): Failure | undefined | Promise<Failure | undefined> {
    const client = clientOf(state);
    if (group === 'weather' && fetchLimitOf(limits, client).limit > 0) {
      state.scope.countFetch = () => countFetch(state, isPublic);
    }
    return mapMaybePromise(limiters[group](state.identity, client), (verdict) =>
      applyVerdict(verdict, state, isPublic),
    );
  };
}

function clientOf({ client }: RequestState): NamedClient | undefined {
  return client === 'unknown' ? undefined : client;
}

/** Returns the limit with the fewest requests left; of two, the one that resets later. */
function tightest({ per_ip: ip, per_client: client, total }: Verdict): WindowState | undefined {
  const own = ip ?? client;
  if (!own || !total) return own ?? total;
  if (own.remaining !== total.remaining) return own.remaining < total.remaining ? own : total;
  return own.resetMs >= total.resetMs ? own : total;
}

function rejectionOf(window: WindowState, rejectedBy: LimitName): Failure {
  return {
    status: 429,
    title: RATE_LIMIT_TITLE,
    message: rejectionMessage(window, rejectedBy),
    headers: { 'Retry-After': String(waitSeconds(window)) },
  };
}

function rejectionMessage(window: WindowState, rejectedBy: LimitName): string {
  const limit = `${window.limit} ${MEANINGS[rejectedBy]}`;
  return `The limit of ${limit} is exceeded. Retry in ${waitSeconds(window)} seconds.`;
}

const waitSeconds = ({ resetMs }: WindowState) => Math.max(1, Math.ceil(resetMs / 1000));

/**
 * Returns `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), names and
 * values in turn: of `q` requests in `w` seconds, `r` are left, and the oldest one leaves the
 * window after `t` seconds. `RateLimit` of a rejection contains only the limit that rejects.
 */
export function rateLimitFields(verdict: Verdict): string[] {
  let [policies, remaining] = ['', ''];
  for (const name of LIMIT_NAMES) {
    const { [name]: state, quotas } = verdict;
    const { [name]: quota } = quotas;
    const policy = name.replace('per_', '');
    if (quota) {
      const limit = state?.limit ?? quota.limit;
      policies = join(policies, `"${policy}";q=${limit};w=${quota.windowSeconds}`);
    }
    if (state) {
      const seconds = Math.ceil(state.resetMs / 1000);
      remaining = join(remaining, `"${policy}";r=${state.remaining};t=${seconds}`);
    }
  }
  return ['RateLimit-Policy', policies, 'RateLimit', remaining];
}

const join = (list: string, item: string) => (list === '' ? item : `${list}, ${item}`);
