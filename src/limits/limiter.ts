import { ifUnavailable } from '../errors.js';
import type { Scope } from '../weather/scope.js';
import type { PendingRecord } from '../weather/searches.js';
import type { Clock } from '../weather/types.js';
import type { Refusals } from './refusals.js';
import type { Counted, LocalWindow, WindowState } from './window.js';

/** What is counted apart for each client. */
export type RequestKind = 'weather' | 'searches' | 'suggestions';

/** A limit on the requests of one client address, or of all clients together. */
export type LimitName = 'per_ip' | 'total';

/** What the limits say to one request. Without any limit it is empty. */
export interface Verdict {
  /** The limit that refused. Then no window has counted the request. */
  refusedBy?: LimitName;
  /** Absent: the limit is off, or the other one refused. */
  per_ip?: WindowState;
  total?: WindowState;
}

/**
 * Counts one request of a client in every window that it has, or refuses it.
 * @param pending gives what to record if the request is admitted; a limiter that cannot does not
 */
export type Limiter = (
  client: string,
  scope: Scope,
  pending?: () => PendingRecord | undefined,
) => Verdict | Promise<Verdict>;

/** The windows in which one kind of request counts. Absent: the limit is off. */
export interface LimitsOf<T> {
  per_ip?: T | undefined;
  total?: T | undefined;
}

/** The limits as they are set. A limit of 0 is off. */
export interface RateLimits {
  perIp: RateLimit;
  total: RateLimit;
}

interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** While somebody types one name, many suggestions are asked for. */
const SUGGESTIONS_FACTOR = 10;
/** The key of the window that counts all clients together. */
export const ALL_CLIENTS = 'all';

/**
 * The limits of one kind of request. Suggestions cost nobody else anything: they do not count in the
 * total, and each process counts them alone.
 */
export function limitsOf(kind: RequestKind, { perIp, total }: RateLimits): LimitsOf<RateLimit> {
  const unlessOff = (limit: RateLimit) => (limit.limit > 0 ? limit : undefined);
  if (kind !== 'suggestions') return { per_ip: unlessOff(perIp), total: unlessOff(total) };
  return { per_ip: unlessOff({ ...perIp, limit: SUGGESTIONS_FACTOR * perIp.limit }) };
}

/** Counts in this process alone. */
export function createLocalLimiter(windows: LimitsOf<LocalWindow>): (client: string) => Verdict {
  return (client) => {
    // Before the total counts: what the client's own window refuses must not use it up.
    const seen = windows.per_ip?.look(client);
    if (seen?.admitted === false) return { refusedBy: 'per_ip', per_ip: stateOf(seen) };
    const total = windows.total?.count(ALL_CLIENTS);
    if (total?.admitted === false) return { refusedBy: 'total', total: stateOf(total) };
    const perIp = windows.per_ip?.count(client);
    return { ...(perIp && { per_ip: stateOf(perIp) }), ...(total && { total: stateOf(total) }) };
  };
}

/** Counts one request of a client in shared windows. @throws StoreUnavailableError */
export type CountShared = (
  client: string,
  scope: Scope,
  pending: PendingRecord | undefined,
) => Promise<Verdict>;

/**
 * Counts in shared windows, and in this process's own while their store is unavailable. What the
 * shared windows admit counts here too: when the store becomes unavailable in the middle of a window,
 * this process does not begin at zero.
 */
export function createSharedLimiter(options: {
  kind: RequestKind;
  shared: CountShared;
  local: LimitsOf<LocalWindow>;
  refusals: Refusals;
  clock: Pick<Clock, 'monotonic'>;
}): Limiter {
  const { kind, shared, local, refusals, clock } = options;
  const countLocally = createLocalLimiter(local);
  return async (client, scope, pending) => {
    const known = refusals.find(kind, client);
    if (known) return known;
    const askedAt = clock.monotonic();
    const verdict = await ifUnavailable(shared(client, scope, pending?.()), undefined);
    if (verdict === undefined) return countLocally(client);
    if (verdict.refusedBy) {
      refusals.keep(kind, client, verdict, askedAt);
    } else {
      local.per_ip?.count(client);
      local.total?.count(ALL_CLIENTS);
    }
    return verdict;
  };
}

function stateOf({ limit, remaining, resetMs }: Counted): WindowState {
  return { limit, remaining, resetMs };
}
