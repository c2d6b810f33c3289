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
 * It opens at the third failure in a row, or at the first that says how long it lasts. After that
 * time it admits one probe at a time, whose outcome decides. While the store is unavailable each
 * process decides for itself: no call throws for that.
 */
export interface Breakers {
  /** Whoever is admitted reports with one of the other three. */
  acquire(name: string): Promise<Admission>;
  succeeded(name: string): Promise<Transition>;
  /** @param failure `retryAfterMs` when the upstream said how long it will not answer */
  failed(name: string, failure: { retryAfterMs?: number | undefined }): Promise<Transition>;
  /** The caller gave up before it knew: a probe makes room for the next one. */
  abandoned(name: string): Promise<void>;
  /** Whether `acquire` would refuse a caller at this moment. Changes nothing. */
  isOpen(name: string): Promise<boolean>;
}

/** Times of the breakers, in milliseconds. */
export const BREAKER_POLICY = {
  failuresToOpen: 3,
  /** How long it stays open at first. The time doubles after each failed probe, up to `maxOpenMs`. */
  firstOpenMs: 5_000,
  /** Only a quota window may keep an upstream closed off for longer. */
  maxOpenMs: 30_000,
  /** A probe that has not reported by then is forgotten. */
  probeMs: 15_000,
} as const;
