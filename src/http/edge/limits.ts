import { mapMaybePromise } from '../../base/map-maybe-promise.js';
import {
  createFetchLimiter,
  createLimiter,
  fetchLimitOf,
  LIMIT_NAMES,
  limitsOf,
  type LimitName,
  type LimitsOf,
  type RateLimits,
  type RequestGroup,
  type Verdict,
} from '../../limits/limiter.js';
import type { NamedClient } from '../../limits/clients-file.js';
import type { Limit, Windows, WindowState } from '../../limits/rate-limit-window.js';
import { FetchLimitError } from '../../weather/errors.js';
import type { RequestState } from '../context.js';
import { RATE_LIMIT_TITLE, type Failure } from '../error-answers.js';

const MEANINGS: Record<LimitName, string> = {
  per_ip: 'requests per client address',
  per_client: 'requests of this client',
  total: 'requests in total',
  fetches: 'requests per client for places that are not in the cache',
};
/** The names of the policies in `RateLimit-Policy`. */
const POLICIES: Record<LimitName, string> = {
  per_ip: 'ip',
  per_client: 'client',
  total: 'total',
  fetches: 'fetches',
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
  const createGroup = (group: RequestGroup) => createLimiter(group, limits, windowsOf(group));
  const limiters = {
    weather: createGroup('weather'),
    searches: createGroup('searches'),
    suggestions: createGroup('suggestions'),
  };
  /** The limits of requests without a key. */
  const common = {
    weather: limitsOf('weather', limits),
    searches: limitsOf('searches', limits),
    suggestions: limitsOf('suggestions', limits),
  };
  const countFetchOf = createFetchLimiter(limits, windowsOf('weather'));

  /** Sets headers and log fields by a verdict. Returns the failure if the request is rejected. */
  function applyVerdict(
    verdict: Verdict,
    state: RequestState,
    group: RequestGroup,
    isPublic: boolean,
  ): Failure | undefined {
    const { rejectedBy } = verdict;
    const window = tightest(verdict);
    if (!window) return undefined;
    const isRejected = rejectedBy !== undefined && !dryRun;
    if (rejectedBy) state[dryRun ? 'wouldReject' : 'rejectedBy'] = rejectedBy;
    if (isPublic && !isRejected) return undefined;
    const client = clientOf(state);
    const quotas = client ? limitsOf(group, limits, client) : common[group];
    state.limitHeaders = headersOf(quotas, verdict, window);
    return isRejected ? rejectionOf(window, rejectedBy) : undefined;
  }

  function headersOf(quotas: LimitsOf<Limit>, verdict: Verdict, window: WindowState): string[] {
    const { limit, remaining, resetMs } = window;
    const headers = rateLimitFields(quotas, verdict);
    headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
    headers.push('X-RateLimit-Reset', String(Math.ceil((now() + resetMs) / 1000)));
    if (dryRun && verdict.rejectedBy) headers.push('X-RateLimit-Dry-Run', verdict.rejectedBy);
    return headers;
  }

  /** Counts the first fetch that a request is about to start. @throws FetchLimitError */
  async function countFetch(state: RequestState, isPublic: boolean): Promise<void> {
    delete state.scope.countFetch;
    const client = clientOf(state);
    const verdict = await countFetchOf(state.identity, client);
    if (!verdict.rejectedBy || !verdict.fetches) return;
    const quotas = { fetches: fetchLimitOf(client, limits.fetchesPerIp) };
    const headers = headersOf(quotas, verdict, verdict.fetches);
    if (dryRun) {
      state.wouldReject = verdict.rejectedBy;
      if (!isPublic) state.limitHeaders = headers;
      return;
    }
    state.rejectFetch = async () => {
      state.rejectedBy = verdict.rejectedBy;
      state.limitHeaders = headers;
      // A rejected request does not count.
      await limiters.weather(state.identity, client, -1);
    };
    const message = rejectionMessage(verdict.fetches, verdict.rejectedBy);
    throw new FetchLimitError(message, { retryAfterMs: verdict.fetches.resetMs });
  }

  /** Counts a request. Returns the failure if it is rejected. */
  return function countRequest(
    state: RequestState,
    group: RequestGroup,
    isPublic: boolean,
  ): Failure | undefined | Promise<Failure | undefined> {
    const client = clientOf(state);
    if (group === 'weather' && fetchLimitOf(client, limits.fetchesPerIp).limit > 0) {
      state.scope.countFetch = () => countFetch(state, isPublic);
    }
    return mapMaybePromise(limiters[group](state.identity, client), (verdict) =>
      applyVerdict(verdict, state, group, isPublic),
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
export function rateLimitFields(quotas: LimitsOf<Limit>, verdict: Verdict): string[] {
  let [policies, remaining] = ['', ''];
  for (const name of LIMIT_NAMES) {
    const { [name]: quota } = quotas;
    const { [name]: state } = verdict;
    if (quota) {
      const limit = state?.limit ?? quota.limit;
      policies = join(policies, `"${POLICIES[name]}";q=${limit};w=${quota.windowSeconds}`);
    }
    if (state) {
      const seconds = Math.ceil(state.resetMs / 1000);
      remaining = join(remaining, `"${POLICIES[name]}";r=${state.remaining};t=${seconds}`);
    }
  }
  return ['RateLimit-Policy', policies, 'RateLimit', remaining];
}

const join = (list: string, item: string) => (list === '' ? item : `${list}, ${item}`);
