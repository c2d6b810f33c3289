import { whenKnown } from '../../base/when-known.js';
import {
  createLimiter,
  limitsOf,
  type LimitName,
  type LimitsOf,
  type RateLimits,
  type RequestGroup,
  type Verdict,
} from '../../limits/limiter.js';
import type { Limit, Windows, WindowState } from '../../limits/rate-limit-window.js';
import type { RequestState } from '../context.js';
import type { Failure } from '../error-answers.js';

const MEANINGS = { per_ip: 'requests per client address', total: 'requests in total' };

export type CountRequest = ReturnType<typeof createLimits>;

/**
 * Creates the function that counts requests, rejects them (throttling, 429) above a limit, and makes the headers about the
 * limits. A public response has no such headers, because shared caches store it for all clients.
 * @param options.now the clock of this process, which is also that of `Date`
 * @param options.dryRun whether requests above a limit are only reported, and not rejected
 */
export function createLimits(options: {
  limits: RateLimits;
  windowsOf: (group: RequestGroup) => Windows;
  now: () => number;
  dryRun: boolean;
}) {
  const { limits, windowsOf, now, dryRun } = options;
  const createGroup = (group: RequestGroup) => ({
    limiter: createLimiter(group, limits, windowsOf(group)),
    quotas: limitsOf(group, limits),
  });
  const groups = {
    weather: createGroup('weather'),
    searches: createGroup('searches'),
    suggestions: createGroup('suggestions'),
  };

  /** Sets the headers and log fields of a request by a verdict. Returns the failure if the request is rejected. */
  function applyVerdict(
    verdict: Verdict,
    state: RequestState,
    group: RequestGroup,
    isPublic: boolean,
  ): Failure | undefined {
    const { rejectedBy } = verdict;
    const window = tightest(verdict);
    if (!window || (isPublic && !rejectedBy)) return undefined;
    const { limit, remaining, resetMs } = window;
    const headers = rateLimitFields(groups[group].quotas, verdict);
    headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
    headers.push('X-RateLimit-Reset', String(Math.ceil((now() + resetMs) / 1000)));
    state.limitHeaders = headers;
    if (!rejectedBy) return undefined;
    state[dryRun ? 'wouldReject' : 'rejectedBy'] = rejectedBy;
    if (!dryRun) return rejectionOf(window, rejectedBy);
    headers.push('X-RateLimit-Dry-Run', rejectedBy);
    return undefined;
  }

  /** Counts a request. Returns the failure if it is rejected. */
  return (
    state: RequestState,
    group: RequestGroup,
    isPublic: boolean,
  ): Failure | undefined | Promise<Failure | undefined> =>
    whenKnown(groups[group].limiter(state.identity), (verdict) =>
      applyVerdict(verdict, state, group, isPublic),
    );
}

/** Returns the limit with the fewest requests left, or the limit that resets later if both have the same number left. */
function tightest({ per_ip: own, total }: Verdict): WindowState | undefined {
  if (!own || !total) return own ?? total;
  if (own.remaining !== total.remaining) return own.remaining < total.remaining ? own : total;
  return own.resetMs >= total.resetMs ? own : total;
}

function rejectionOf(
  { limit, resetMs }: Pick<WindowState, 'limit' | 'resetMs'>,
  rejectedBy: LimitName,
): Failure {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  return {
    status: 429,
    title: 'Rate limit exceeded',
    message: `The limit of ${limit} ${MEANINGS[rejectedBy]} is exceeded. Retry in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

/**
 * Returns `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, names and values in turn: of `q`
 * requests in `w` seconds, `r` are left, and the oldest one leaves the window after `t` seconds. While Redis is unavailable,
 * the limits of the verdict are lower. If a limit rejects the request, `RateLimit` contains only that limit.
 */
export function rateLimitFields(quotas: LimitsOf<Limit>, { per_ip: ip, total }: Verdict): string[] {
  const policy = join(policyOf('ip', quotas.per_ip, ip), policyOf('total', quotas.total, total));
  const remaining = join(remainingOf('ip', ip), remainingOf('total', total));
  return ['RateLimit-Policy', policy, 'RateLimit', remaining];
}

function policyOf(name: string, quota: Limit | undefined, state: WindowState | undefined): string {
  if (!quota) return '';
  return `"${name}";q=${state?.limit ?? quota.limit};w=${Math.ceil(quota.windowSeconds)}`;
}

function remainingOf(name: string, state: WindowState | undefined): string {
  return state ? `"${name}";r=${state.remaining};t=${Math.ceil(state.resetMs / 1000)}` : '';
}

function join(ip: string, total: string): string {
  return ip && total ? `${ip}, ${total}` : ip || total;
}
