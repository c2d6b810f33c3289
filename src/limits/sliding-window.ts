import type { Scope } from '../weather/scope.js';

/**
 * Most instants that a window keeps for one key. Up to this limit every admission is kept at its
 * exact time; above it, admissions are gathered into so many slices of the window.
 */
export const MAX_INSTANTS_PER_KEY = 500;

/** What a window says to one request. */
export interface WindowState {
  admitted: boolean;
  /** Requests per window. */
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Whole ms, rounded up, until the oldest counted request leaves; who waits so long is admitted. */
  msUntilOldestLeaves: number;
  /** The instant that it was counted under, for `refund`; in the window's own unit. -1: refused. */
  countedAt: number;
}

/**
 * A limit on requests per key: in no interval of the window's length are more than `limit`
 * admitted, and a refused request does not count.
 */
export interface SlidingWindow {
  readonly limit: number;
  /**
   * Counts one request, or refuses it.
   * @throws StoreUnavailableError when the shared store does not answer within the scope's time
   */
  consume(key: string, scope?: Scope): Promise<WindowState>;
  /**
   * Takes back one admitted request, exactly that one; does nothing when it is counted no more.
   * To be called once per admission.
   * @throws StoreUnavailableError when the shared store does not answer within the scope's time
   */
  refund(key: string, admitted: WindowState, scope?: Scope): Promise<void>;
}
