import type { WindowState } from '../limits/sliding-window.js';

/** One rate limit: at most so many requests in any window of this length; 0: off. */
interface Quota {
  limit: number;
  windowSeconds: number;
}

/** The limits of one kind of request. */
export interface RateLimits {
  perIp: Quota;
  total: Quota;
}

/** What the limits of one request say. Absent: the limit is off, or the other one refused. */
interface States {
  own?: WindowState;
  total?: WindowState;
}

/**
 * `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, as structured fields
 * (RFC 9651). The policy `ip` is the limit of the client's address, `total` that of all clients:
 * `q` requests in `w` seconds. `r` of them are left, and in `t` seconds the next leaves the window.
 */
export function createRateLimitFields({ perIp, total }: RateLimits) {
  const usual = policyOf(perIp.limit, total.limit);

  function policyOf(ipLimit: number, totalLimit: number): string {
    const ip = ipLimit > 0 ? `"ip";q=${ipLimit};w=${perIp.windowSeconds}` : '';
    const all = totalLimit > 0 ? `"total";q=${totalLimit};w=${total.windowSeconds}` : '';
    return join(ip, all);
  }

  return {
    /** The value of `RateLimit-Policy`. It changes only while this process applies its share. */
    policy: (states: States): string => {
      const ipLimit = states.own?.limit ?? perIp.limit;
      const totalLimit = states.total?.limit ?? total.limit;
      const isUsual = ipLimit === perIp.limit && totalLimit === total.limit;
      return isUsual ? usual : policyOf(ipLimit, totalLimit);
    },
    /** The value of `RateLimit`. A refusal names only the limit that refused. */
    state: (states: States): string => join(left('ip', states.own), left('total', states.total)),
  };
}

function left(name: string, state: WindowState | undefined): string {
  return state ? `"${name}";r=${state.remaining};t=${Math.ceil(state.resetMs / 1000)}` : '';
}

function join(ip: string, total: string): string {
  return ip && total ? `${ip}, ${total}` : ip || total;
}
