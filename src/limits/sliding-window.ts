import type { Scope } from '../weather/scope.js';

/**
 * Most instants that a window keeps for one key. Up to this limit every admission is kept at its
 * exact time; above it, admissions are gathered into so many slices of the window.
 */
export const MAX_SLOTS_PER_KEY = 500;

/** What a window says to one request. */
export interface WindowState {
  /** Requests per window. */
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Milliseconds, rounded up, until the oldest counted request leaves the window. */
  resetMs: number;
}

/** What a window says to one request that it alone decides. */
export interface Counted extends WindowState {
  admitted: boolean;
  /** The instant that it was counted under, for `refund`; in the window's own unit. -1: refused. */
  countedAt: number;
}

/**
 * A limit on requests per key, shared by all processes: in no interval of the window's length are
 * more than `limit` admitted, and a refused request does not count.
 */
export interface SlidingWindow {
  readonly limit: number;
  /**
   * Counts one request, or refuses it.
   * @throws StoreUnavailableError when the shared store does not answer within the scope's time
   */
  consume(key: string, scope?: Scope): Promise<Counted>;
  /**
   * Takes back one admitted request, exactly that one; does nothing when it is counted no more.
   * To be called once per admission.
   * @throws StoreUnavailableError when the shared store does not answer within the scope's time
   */
  refund(key: string, admitted: Counted, scope?: Scope): Promise<void>;
}

/** The same in this process: it answers at once and never fails. */
export interface LocalWindow {
  readonly limit: number;
  /** What the window would say now; counts nothing. `resetMs` is 0 while nothing is counted. */
  look(key: string): WindowState;
  consume(key: string): Counted;
  refund(key: string, admitted: Counted): void;
}

/** What the two windows of a request say after counting it: the client's own and that of all. */
export interface Verdict {
  /** The window that refused. Then neither has counted the request. */
  refusedBy?: 'own' | 'total';
  /** Absent when this limit is off, or when the other one refused. */
  own?: WindowState;
  total?: WindowState;
}

/** Two shared windows that count together. */
export interface WindowPair {
  /**
   * Counts one request in the client's own window and in the total, or in neither. No other request
   * ever sees it counted in one of them only.
   * @throws StoreUnavailableError when the shared store does not answer within the scope's time
   */
  consume(client: string, scope?: Scope): Promise<Verdict>;
}
