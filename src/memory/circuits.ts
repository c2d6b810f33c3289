import {
  BREAKER_POLICY,
  type Admission,
  type LocalCircuits,
  type Transition,
} from '../upstream/breakers.js';
import type { Clock } from '../weather/types.js';

interface State {
  failures: number;
  /** Set while open; from then on (monotonic) a probe may pass. */
  openUntil?: number;
  openings: number;
  /** Set while a probe is out. */
  probeUntil?: number;
}

const { failuresToOpen, firstOpenMs, maxOpenMs, probeMs } = BREAKER_POLICY;

/** The circuit breakers of this process alone. The same rules as in `redis/breaker-script.ts`. */
export function createMemoryCircuits(clock: Clock): LocalCircuits {
  const states = new Map<string, State>();

  function fail(name: string, retryAfterMs: number | undefined): Transition {
    const now = clock.monotonic();
    const state = states.get(name) ?? { failures: 0, openings: 0 };
    states.set(name, state);
    const wasOpen = state.openUntil !== undefined;
    if (state.openUntil !== undefined && now < state.openUntil) {
      // This call began before the opening: only a longer wait is news.
      state.openUntil = Math.max(state.openUntil, now + (retryAfterMs ?? 0));
      return undefined;
    }
    state.failures += 1;
    if (!wasOpen && retryAfterMs === undefined && state.failures < failuresToOpen) return undefined;
    const backoffMs = Math.min(firstOpenMs * 2 ** state.openings, maxOpenMs);
    state.openings += 1;
    state.openUntil = now + (retryAfterMs ?? backoffMs);
    delete state.probeUntil;
    return wasOpen ? undefined : 'opened';
  }

  function succeed(name: string): Transition {
    const state = states.get(name);
    if (state?.openUntil === undefined) {
      states.delete(name);
      return undefined;
    }
    // This call began before the opening, and says nothing: a used-up quota stays used up.
    if (clock.monotonic() < state.openUntil) return undefined;
    states.delete(name);
    return 'closed';
  }

  /** Milliseconds until a caller is admitted; 0 or less: now. */
  function waitOf(state: State, now: number): number {
    return Math.max(state.openUntil ?? 0, state.probeUntil ?? 0) - now;
  }

  function look(name: string): Admission {
    const state = states.get(name);
    if (state?.openUntil === undefined) return { allowed: true, probe: false };
    const retryAfterMs = waitOf(state, clock.monotonic());
    return retryAfterMs > 0
      ? { allowed: false, reason: 'breaker', retryAfterMs }
      : { allowed: true, probe: true };
  }

  return {
    look,
    acquire(name) {
      const admission = look(name);
      const state = states.get(name);
      if (state && admission.allowed && admission.probe) {
        state.probeUntil = clock.monotonic() + probeMs;
      }
      return admission;
    },
    succeeded: succeed,
    failed: (name, { retryAfterMs }) => fail(name, retryAfterMs),
    abandoned(name) {
      delete states.get(name)?.probeUntil;
    },
  };
}
