/** A change of a breaker, told to exactly one caller so that it is logged once. */
export type Transition = 'opened' | 'closed' | undefined;

/** Whether an upstream may be called now. */
export type Admission =
  /** `probe`: the one call by which an open breaker finds out whether the upstream is back. */
  | { allowed: true; probe: boolean }
  /** `retryAfterMs`: when asking again can be of use. */
  | { allowed: false; retryAfterMs: number };

/**
 * One circuit breaker per upstream name, shared by all processes where there is a shared store.
 * Closed until three failures in a row, or one that says until when; then open; then one probe at
 * a time decides. None of the calls throws for a store that is away.
 */
export interface Breakers {
  /** Whoever is admitted reports with one of the other three. */
  acquire(name: string): Promise<Admission>;
  succeeded(name: string): Promise<Transition>;
  /** @param failure `retryAfterMs` when the upstream said how long it will not answer */
  failed(name: string, failure: { retryAfterMs?: number | undefined }): Promise<Transition>;
  /** The caller gave its call up before it could tell: a probe makes room for the next one. */
  abandoned(name: string): Promise<void>;
  /** Whether callers are refused now; changes nothing. */
  isOpen(name: string): Promise<boolean>;
}

/** Times of the breakers, in milliseconds. */
export const BREAKER_POLICY = {
  failuresToOpen: 3,
  /** Open for so long at first, twice as long after each failed probe, up to the most. */
  firstOpenMs: 5_000,
  maxOpenMs: 30_000,
  /** A probe that has not reported by then is forgotten. */
  probeMs: 15_000,
} as const;
