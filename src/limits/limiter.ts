import type { StoreTime } from '../weather/scope.js';
import type { Window, Windows, WindowState } from './windows.js';

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
 * @param time what a wait for the shared store takes from
 */
export type Limiter = (client: string, time?: StoreTime) => Promise<Verdict>;

/** The limits of one kind of request. Absent: the limit is off. */
export interface LimitsOf<T> {
  per_ip?: T | undefined;
  total?: T | undefined;
}

/** The limits as they are set. A limit of 0 is off. */
export interface RateLimits {
  perIp: RateLimit;
  total: RateLimit;
  /** So many processes share the limits while the shared store is unavailable. */
  replicasHint: number;
}

interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** While somebody types one name, many suggestions are asked for. */
const SUGGESTIONS_FACTOR = 10;
/**
 * A kept connection meets one replica: a client's share is not below this part of its limit. Nor is that
 * of the total in a hiccup, which most often meets one replica.
 */
const LEAST_SHARE = 1 / 3;

/** The most requests of one window: each takes ten bytes. Doubled: a window takes up to 1 MB of Redis. */
const MAX_IN_WINDOW = 50_000;

/**
 * Undefined: the limit is off. A higher limit is held in parts of its window: where no hour admits more
 * than 50,000 requests, no two hours admit more than 100,000.
 */
function held({ limit, windowSeconds }: RateLimit): RateLimit | undefined {
  if (limit === 0) return undefined;
  const parts = Math.ceil(limit / MAX_IN_WINDOW);
  return { limit: Math.floor(limit / parts), windowSeconds: windowSeconds / parts };
}

/** Suggestions cost nobody else anything: they do not count in the total, and each process counts alone. */
export function limitsOf(
  kind: RequestKind,
  { perIp, total }: Omit<RateLimits, 'replicasHint'>,
): LimitsOf<RateLimit> {
  if (kind !== 'suggestions') return { per_ip: held(perIp), total: held(total) };
  return { per_ip: held({ ...perIp, limit: SUGGESTIONS_FACTOR * perIp.limit }) };
}

/** While there is a total, all windows lie on its node of a cluster; without one, each client's on its own. */
export function createLimiter(kind: RequestKind, limits: RateLimits, windows: Windows): Limiter {
  const { per_ip: perIp, total } = limitsOf(kind, limits);
  const { replicasHint } = limits;

  function windowOf(key: string, { limit, windowSeconds }: RateLimit, isOwn: boolean): Window {
    const part = Math.max(1, Math.floor(limit / replicasHint));
    const firstShare = Math.max(part, Math.ceil(limit * LEAST_SHARE));
    const share = isOwn ? firstShare : part;
    return { key, limit, windowMs: Math.ceil(windowSeconds * 1000), share, firstShare };
  }

  const own = perIp && windowOf('', perIp, true);
  const all = total ? [windowOf('{all}:total', total, false)] : [];
  const names: LimitName[] = [
    ...(own ? (['per_ip'] as const) : []),
    ...all.map(() => 'total' as const),
  ];

  return async (client, time) => {
    if (names.length === 0) return {};
    // The client's own first: what it refuses must not be told as the total's refusal.
    const asked = own
      ? [{ ...own, key: `{${total ? 'all' : client}}:${kind}:${client}` }, ...all]
      : all;
    const { refusedBy, states } = await windows.count(asked, 1, time);
    const verdict: Verdict = {};
    names.forEach((name, i) => {
      const state = refusedBy === undefined || refusedBy === i ? states[i] : undefined;
      if (state) verdict[name] = state;
    });
    const by = names[refusedBy ?? -1];
    return by ? { refusedBy: by, ...verdict } : verdict;
  };
}
