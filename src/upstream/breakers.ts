import type { BudgetChange, BudgetLeft } from './budgets.js';

/** A change of a breaker, told to exactly one caller so that it is logged once. */
export type Transition = 'opened' | 'closed' | undefined;

/** Whether an upstream may be called now. */
export type Admission =
  | {
      allowed: true;
      /** The one call by which an open breaker finds out whether the upstream is back. */
      probe: boolean;
      /** Identifies a call that the budget counts: it is to be reported when it ends. */
      call?: string;
      change?: BudgetChange | undefined;
    }
  | {
      allowed: false;
      /** The breaker is open, or no call fits into the budget. */
      reason: 'breaker' | 'budget';
      /** When asking again can be of use. */
      retryAfterMs: number;
      change?: BudgetChange | undefined;
    };

/**
 * What decides whether an upstream is called: its circuit breaker, and the budget of calls that its
 * provider allows. Both are shared by all processes where there is a shared store, and asked at once.
 *
 * The breaker opens at the third failure in a row, or at the first that says how long it lasts. After
 * that time it admits one probe at a time, whose outcome decides. While the store is unavailable each
 * process decides for itself: no call throws for that.
 */
export interface Breakers {
  /** Whoever is admitted reports with one of the other three, each with the call of the admission. */
  acquire(name: string): Promise<Admission>;
  /** What `acquire` would say at this moment. Changes nothing. */
  look(name: string): Promise<Admission>;
  succeeded(name: string, call?: string): Promise<Transition>;
  /** @param failure `retryAfterMs` when the upstream said how long it will not answer */
  failed(
    name: string,
    failure: { retryAfterMs?: number | undefined },
    call?: string,
  ): Promise<Transition>;
  /** The caller gave up before it knew: a probe makes room for the next one. */
  abandoned(name: string, call?: string): Promise<void>;
  /** What is left of the budget of an upstream; empty when it has none. */
  left(name: string): Promise<BudgetLeft[]>;
}

/** The circuit breakers of this process alone, without budgets. */
export interface LocalCircuits {
  acquire(name: string): Admission;
  look(name: string): Admission;
  succeeded(name: string): Transition;
  failed(name: string, failure: { retryAfterMs?: number | undefined }): Transition;
  abandoned(name: string): void;
}

/** Milliseconds for which the breaker will still refuse callers; 0 when it refuses none now. */
export async function openMs(breakers: Breakers, name: string): Promise<number> {
  const admission = await breakers.look(name);
  return !admission.allowed && admission.reason === 'breaker' ? admission.retryAfterMs : 0;
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
