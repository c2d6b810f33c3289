import type { Breakers, LocalCircuits } from '../upstream/breakers.js';
import type { Budgets, LocalBudgets } from '../upstream/budgets.js';

/** A call of this process alone needs no id. */
const CALL = 'call';

/** The breakers and budgets of this process alone. */
export function createMemoryBreakers(
  circuits: LocalCircuits,
  own: LocalBudgets,
  budgets: Budgets,
): Breakers {
  function end(name: string, call: string | undefined): void {
    const budget = budgets.get(name);
    if (budget && call !== undefined) own.end(budget);
  }

  return {
    acquire(name) {
      const budget = budgets.get(name);
      const seen = circuits.look(name);
      if (!budget || !seen.allowed) return Promise.resolve(circuits.acquire(name));
      const { waitMs: retryAfterMs, change } = own.waitMs(budget);
      if (retryAfterMs > 0) {
        return Promise.resolve({ allowed: false, reason: 'budget', retryAfterMs, change });
      }
      const admission = circuits.acquire(name);
      const begun = { call: CALL, change: own.begin(budget) };
      return Promise.resolve(admission.allowed ? { ...admission, ...begun } : admission);
    },
    look(name) {
      const budget = budgets.get(name);
      const seen = circuits.look(name);
      const retryAfterMs = budget && seen.allowed ? own.look(budget) : 0;
      return Promise.resolve(
        retryAfterMs > 0 ? { allowed: false, reason: 'budget', retryAfterMs } : seen,
      );
    },
    succeeded(name, call) {
      end(name, call);
      return Promise.resolve(circuits.succeeded(name));
    },
    failed(name, failure, call) {
      end(name, call);
      return Promise.resolve(circuits.failed(name, failure));
    },
    abandoned(name, call) {
      end(name, call);
      circuits.abandoned(name);
      return Promise.resolve();
    },
    left(name) {
      const budget = budgets.get(name);
      return Promise.resolve(budget ? own.left(budget) : []);
    },
  };
}
