import { BREAKER_POLICY, type Breakers, type Transition } from '../upstream/breakers.js';
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

/** The breakers of this process alone. The same rules as the script in `redis/breakers.ts`. */
export function createMemoryBreakers(clock: Clock): Breakers {
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

  return {
    acquire(name) {
      const state = states.get(name);
      const now = clock.monotonic();
      if (state?.openUntil === undefined) {
        return Promise.resolve({ allowed: true, probe: false });
      }
      const retryAfterMs = waitOf(state, now);
      if (retryAfterMs > 0) return Promise.resolve({ allowed: false, retryAfterMs });
      state.probeUntil = now + probeMs;
      return Promise.resolve({ allowed: true, probe: true });
    },
    succeeded: (name) => Promise.resolve(succeed(name)),
    failed: (name, { retryAfterMs }) => Promise.resolve(fail(name, retryAfterMs)),
    abandoned(name) {
      delete states.get(name)?.probeUntil;
      return Promise.resolve();
    },
    isOpen(name) {
      const state = states.get(name);
      return Promise.resolve(
        state?.openUntil !== undefined && waitOf(state, clock.monotonic()) > 0,
      );
    },
  };
}
