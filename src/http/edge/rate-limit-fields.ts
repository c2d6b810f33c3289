import type { LimitsOf, RateLimits, Verdict } from '../../limits/limiter.js';
import type { WindowState } from '../../limits/rate-limit-window.js';

type Quota = RateLimits['perIp'];

/**
 * Returns `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, names and values in turn: of `q`
 * requests in `w` seconds, `r` are left, and the oldest one leaves the window after `t` seconds. While Redis is unavailable,
 * the limits of the verdict are lower. If a limit rejects the request, `RateLimit` contains only that limit.
 */
export function rateLimitFields(quotas: LimitsOf<Quota>, { per_ip: ip, total }: Verdict): string[] {
  const policy = join(policyOf('ip', quotas.per_ip, ip), policyOf('total', quotas.total, total));
  return ['RateLimit-Policy', policy, 'RateLimit', join(left('ip', ip), left('total', total))];
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
