import { mapMaybePromise } from '../base/map-maybe-promise.js';
import type { NamedClient } from './clients-file.js';
import {
  windowOf,
  type Cost,
  type CountResult,
  type Limit,
  type Windows,
  type WindowState,
} from './rate-limit-window.js';

/** The requests that share rate limits. Each group has its own windows per client IP. */
export type RequestGroup = 'weather' | 'searches' | 'suggestions';

/** Per client IP, per named client, for all clients, or for the fetches that a client starts. */
export const LIMIT_NAMES = ['per_ip', 'per_client', 'total', 'fetches'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** A value for each limit. Absent: the limit is off. */
export type LimitsOf<T> = Partial<Record<LimitName, T | undefined>>;

/** The decision about a request. A state is also absent if the other limit rejected it. */
export interface Verdict extends LimitsOf<WindowState> {
  /** The limit that rejected the request. The request was then not counted. */
  rejectedBy?: LimitName;
}

/** Counts one request of a client IP or of a named client, or rejects it. Default cost: 1. */
export type Limiter = (ip: string, client?: NamedClient, cost?: Cost) => Verdict | Promise<Verdict>;

/** The configured limits. A limit of 0 is off. */
export interface RateLimits {
  perIp: Limit;
  total: Limit;
  /** The limit on the fetches that the requests of one client start. */
  fetchesPerIp: Limit;
  /** Divides the total limit while Redis is unavailable. */
  replicasHint: number;
}

/** A client sends a request for suggestions with each key that its user types. */
const SUGGESTIONS_FACTOR = 10;

/**
 * The limits that apply to a group of requests. Suggestions do not count toward the total limit,
 * and neither do the requests of a named client with a limit of its own: its operator has given it
 * a share.
 */
export function limitsOf(
  group: RequestGroup,
  { perIp, total }: Pick<RateLimits, 'perIp' | 'total'>,
  client?: NamedClient,
): LimitsOf<Limit> {
  const ifOn = (limit: Limit) => (limit.limit === 0 ? undefined : limit);
  const factor = group === 'suggestions' ? SUGGESTIONS_FACTOR : 1;
  const base = client?.limit ?? perIp;
  const own = ifOn({ ...base, limit: factor * base.limit });
  const isInTotal = group !== 'suggestions' && client?.limit === undefined;
  return {
    [client ? 'per_client' : 'per_ip']: own,
    ...(isInTotal && { total: ifOn(total) }),
  };
}

/** The name of a client in the keys of its windows. No IP contains `=`. */
const identityOf = (ip: string, client: NamedClient | undefined) =>
  client ? `client=${client.name}` : ip;

/** The limit on the fetches that a client starts. */
export const fetchLimitOf = (client: NamedClient | undefined, fetchesPerIp: Limit): Limit =>
  client?.fetches ?? fetchesPerIp;

/** Creates the limiter of the fetches that a client starts. Its limit must be on. */
export function createFetchLimiter(
  { fetchesPerIp }: Pick<RateLimits, 'fetchesPerIp'>,
  windows: Windows,
): Limiter {
  return (ip, client) => {
    const identity = identityOf(ip, client);
    const limit = fetchLimitOf(client, fetchesPerIp);
    const window = windowOf(`{${identity}}:fetches:${identity}`, limit, 1);
    return mapMaybePromise(windows.count([window], 1), ({ rejectedBy, states: [state] }) => ({
      fetches: state,
      ...(rejectedBy !== undefined && { rejectedBy: 'fetches' }),
    }));
  };
}

/**
 * Creates the limiter of one group of requests. If the total limit is on, a cluster has all windows
 * on the node of the total window. Otherwise the window of each client IP has its own slot.
 */
export function createLimiter(
  group: RequestGroup,
  limits: Omit<RateLimits, 'fetchesPerIp'>,
  windows: Windows,
): Limiter {
  /** The limit of a client's own window, the windows of all clients, and the limits' names. */
  function planOf(client?: NamedClient) {
    const { total, per_ip: ip, per_client: named } = limitsOf(group, limits, client);
    const own = ip ?? named;
    const names: LimitName[] = own ? [client ? 'per_client' : 'per_ip', 'total'] : ['total'];
    return {
      names,
      own,
      totals: total ? [windowOf('{all}:total', total, limits.replicasHint)] : [],
    };
  }
  // Made once for the requests without a key.
  const common = planOf();

  return (ip, client, cost = 1) => {
    const { names, own, totals } = client ? planOf(client) : common;
    if (!own && totals.length === 0) return {};
    const identity = identityOf(ip, client);
    const key = `{${totals.length > 0 ? 'all' : identity}}:${group}:${identity}`;
    // The first full window rejects, so the client's own limit comes before the total.
    const counted = own ? [windowOf(key, own, 1), ...totals] : totals;
    return mapMaybePromise(windows.count(counted, cost), (result) => verdictOf(names, result));
  };
}

function verdictOf(names: LimitName[], { rejectedBy, states }: CountResult): Verdict {
  const verdict: Verdict = {};
  for (const [i, state] of states.entries()) {
    const name = names[i];
    if (!name || !state || (rejectedBy !== undefined && rejectedBy !== i)) continue;
    if (rejectedBy === i) verdict.rejectedBy = name;
    verdict[name] = state;
  }
  return verdict;
}
