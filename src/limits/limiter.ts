import { whenKnown } from '../base/when-known.js';
import {
  windowOf,
  type CountResult,
  type Limit,
  type Windows,
  type WindowState,
} from './rate-limit-window.js';

/** The requests that share rate limits. Each group has its own windows per client IP. */
export type RequestGroup = 'weather' | 'searches' | 'suggestions';

/** The limit per client IP, or the limit for all clients together. */
export type LimitName = 'per_ip' | 'total';

/** A value for each limit. Absent: the limit is off. */
export type LimitsOf<T> = Partial<Record<LimitName, T | undefined>>;

/** The decision about one request. A state is also absent if the other limit rejected the request. */
export interface Verdict extends LimitsOf<WindowState> {
  /** The limit that rejected the request. The request was then not counted. */
  rejectedBy?: LimitName;
}

/** Counts one request of a client IP, or rejects it. */
export type Limiter = (client: string) => Verdict | Promise<Verdict>;

/** The configured limits. A limit of 0 is off. */
export interface RateLimits {
  perIp: Limit;
  total: Limit;
  /** Divides the total limit while Redis is unavailable. */
  replicasHint: number;
}

/** A client sends a request for suggestions with each key that its user types. */
const SUGGESTIONS_FACTOR = 10;

/** The limits that apply to a group of requests. Suggestions do not count toward the total limit. */
export function limitsOf(group: RequestGroup, { perIp, total }: RateLimits): LimitsOf<Limit> {
  const ifOn = (limit: Limit) => (limit.limit === 0 ? undefined : limit);
  if (group !== 'suggestions') return { per_ip: ifOn(perIp), total: ifOn(total) };
  return { per_ip: ifOn({ ...perIp, limit: SUGGESTIONS_FACTOR * perIp.limit }) };
}

/**
 * Creates the limiter of one group of requests. If the total limit is on, a cluster has all windows on the
 * node of the total window. Otherwise the window of each client IP has its own slot.
 */
export function createLimiter(group: RequestGroup, limits: RateLimits, windows: Windows): Limiter {
  const { per_ip: perIp, total } = limitsOf(group, limits);
  const perIpWindow = perIp && windowOf('', perIp, 1);
  const totalWindows = total ? [windowOf('{all}:total', total, limits.replicasHint)] : [];
  const names: LimitName[] = perIp ? ['per_ip', 'total'] : ['total'];

  function verdictOf({ rejectedBy, states }: CountResult): Verdict {
    const verdict: Verdict = {};
    for (const [i, state] of states.entries()) {
      const name = names[i];
      if (!name || !state || (rejectedBy !== undefined && rejectedBy !== i)) continue;
      if (rejectedBy === i) verdict.rejectedBy = name;
      verdict[name] = state;
    }
    return verdict;
  }

  return (client) => {
    if (!perIp && !total) return {};
    const key = `{${total ? 'all' : client}}:${group}:${client}`;
    // The first full window rejects: a request beyond the limit per client IP is never rejected by the total.
    const countedWindows = perIpWindow ? [{ ...perIpWindow, key }, ...totalWindows] : totalWindows;
    return whenKnown(windows.count(countedWindows, 1), verdictOf);
  };
}
