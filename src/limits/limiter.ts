import { mapMaybePromise } from '../base/map-maybe-promise.js';
import type { NamedClient } from './clients-file.js';
import {
  windowOf,
  type Cost,
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

/** The decision about a request. If one limit rejects it, the other limits have no state. */
export interface Verdict extends LimitsOf<WindowState> {
  /** The limits that apply to the request. */
  quotas: LimitsOf<Limit>;
  /** The limit that rejected the request. The request was then not counted. */
  rejectedBy?: LimitName | undefined;
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

/** Each group of requests, and the fetches that the weather requests start. */
type Group = RequestGroup | 'fetches';

/**
 * The limits that apply to a group of requests. Suggestions do not count toward the total limit,
 * and neither do the requests of a named client with a limit of its own: its operator has given it
 * a share.
 */
function limitsOf(group: Group, limits: RateLimits, client?: NamedClient): LimitsOf<Limit> {
  const ifOn = (limit: Limit) => (limit.limit === 0 ? undefined : limit);
  if (group === 'fetches') return { fetches: ifOn(fetchLimitOf(limits, client)) };
  const factor = group === 'suggestions' ? SUGGESTIONS_FACTOR : 1;
  const base = client?.limit ?? limits.perIp;
  const isInTotal = group !== 'suggestions' && client?.limit === undefined;
  return {
    [client ? 'per_client' : 'per_ip']: ifOn({ ...base, limit: factor * base.limit }),
    ...(isInTotal && { total: ifOn(limits.total) }),
  };
}

/** The limit on the fetches that a client starts. */
export const fetchLimitOf = (limits: RateLimits, client?: NamedClient): Limit =>
  client?.fetches ?? limits.fetchesPerIp;

/**
 * Creates the limiter of one group of requests. If the total limit is on, a cluster has all windows
 * on the node of the total window. Otherwise the window of each client IP has its own slot.
 */
export function createLimiter(group: Group, limits: RateLimits, windows: Windows): Limiter {
  const planOf = (client?: NamedClient) => {
    const quotas = limitsOf(group, limits, client);
    // The first full window rejects, so the client's own limit comes before the total.
    const applied = LIMIT_NAMES.flatMap((name) => {
      const { [name]: quota } = quotas;
      return quota ? [{ name, quota }] : [];
    });
    return { quotas, applied };
  };
  // Made once for the requests without a key.
  const common = planOf();

  return (ip, client, cost = 1) => {
    const { quotas, applied } = client ? planOf(client) : common;
    if (applied.length === 0) return { quotas };
    // No IP contains `=`.
    const identity = client ? `client=${client.name}` : ip;
    const key = `{${quotas.total ? 'all' : identity}}:${group}:${identity}`;
    const counted = applied.map(({ name, quota }) =>
      name === 'total'
        ? windowOf('{all}:total', quota, limits.replicasHint)
        : windowOf(key, quota, 1),
    );
    return mapMaybePromise(windows.count(counted, cost), ({ rejectedBy, states }) => {
      const verdict: Verdict = { quotas };
      for (const [i, { name }] of applied.entries()) {
        if (rejectedBy === undefined || rejectedBy === i) verdict[name] = states[i];
      }
      if (rejectedBy !== undefined) verdict.rejectedBy = applied[rejectedBy]?.name;
      return verdict;
    });
  };
}
