import type { LimitsOf, Verdict } from '../../limits/limiter.js';
import type { WindowState } from '../../limits/rate-limit-window.js';

/** A maximum number of requests in any window of this length. */
interface Quota {
  limit: number;
  windowSeconds: number;
}

/**
 * Creates the values of `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, as structured
 * fields (RFC 9651). The policy `ip` is the limit per client IP, `total` the limit for all clients: `q` requests in
 * `w` seconds. `r` requests are left, and the oldest counted request leaves the window after `t` seconds.
 */
export function createRateLimitFields({ per_ip: perIp, total }: LimitsOf<Quota>) {
  return {
    /** Returns the value of `RateLimit-Policy`. While Redis is unavailable, the limits of the verdict are lower. */
    policy: (verdict: Verdict): string =>
      join(policyOf('ip', perIp, verdict.per_ip), policyOf('total', total, verdict.total)),
    /** Returns the value of `RateLimit`. If a limit rejects the request, it contains only that limit. */
    state: (verdict: Verdict): string =>
      join(left('ip', verdict.per_ip), left('total', verdict.total)),
  };
}

function policyOf(name: string, quota: Quota | undefined, state: WindowState | undefined): string {
  if (!quota) return '';
  return `"${name}";q=${state?.limit ?? quota.limit};w=${Math.ceil(quota.windowSeconds)}`;
}

function left(name: string, state: WindowState | undefined): string {
  return state ? `"${name}";r=${state.remaining};t=${Math.ceil(state.resetMs / 1000)}` : '';
}

function join(ip: string, total: string): string {
  return ip && total ? `${ip}, ${total}` : ip || total;
}
