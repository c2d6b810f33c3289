/** A limit as it is configured. */
export interface Limit {
  limit: number;
  windowSeconds: number;
}

/** The highest limit on requests. A higher limit could take more than 10 MB in Redis. */
export const MAX_REQUESTS = 1_000_000;
/** The length of the longest window: a year. */
export const MAX_SECONDS = 31_536_000;

/** Parses `requests/seconds`, both at least 1. Returns undefined if it is not valid. */
export function parseLimit(text: string, maxRequests: number): Limit | undefined {
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,7})$/.exec(text.trim()) ?? [];
  const parsed = { limit: Number(requests), windowSeconds: Number(seconds) };
  return parsed.limit <= maxRequests && parsed.windowSeconds <= MAX_SECONDS ? parsed : undefined;
}

/** A sliding window: at most `limit` requests are admitted in any interval of `windowMs`. */
export interface Window {
  /**
   * Windows with the same key are the same window, whatever their limits. In a cluster, the keys of
   * windows that are counted together must begin with the same hash tag.
   */
  key: string;
  /** At least 1. */
  limit: number;
  windowMs: number;
  /** The limit of each process while Redis is unavailable. At least 1. */
  perProcessLimit: number;
}

/** @param processes by which the limit is divided while Redis is unavailable */
export function windowOf(key: string, { limit, windowSeconds }: Limit, processes: number): Window {
  const perProcessLimit = Math.max(1, Math.floor(limit / processes));
  return { key, limit, windowMs: windowSeconds * 1000, perProcessLimit };
}

/** The state of a window after one request. */
export interface WindowState {
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /**
   * Milliseconds, rounded up, until the oldest counted request leaves the window. 0: the window is
   * empty. If the window has more requests than its limit, because the limit was lowered: until
   * enough of them have left it.
   */
  resetMs: number;
}

/** The result of one request for the windows that count it together. */
export interface CountResult {
  /** Index of the first window that rejected the request. The request was then not counted. */
  rejectedBy: number | undefined;
  /** One state for each window. Undefined: unknown, because another window rejected the request. */
  states: (WindowState | undefined)[];
}

/** 1 counts a request, 0 reads the windows, and -1 removes the newest request from each window. */
export type Cost = -1 | 0 | 1;

/** Sliding windows. A request counts in all of its windows or in none. */
export interface Windows {
  /**
   * Counts one request, or rejects it.
   * @throws StoreUnavailableError
   */
  count(windows: readonly Window[], cost: Cost): CountResult | Promise<CountResult>;
}
