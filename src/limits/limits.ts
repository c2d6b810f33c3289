import { StoreUnavailableError } from '../errors.js';
import type { Scope } from '../weather/scope.js';
import type { SlidingWindow, WindowState } from './sliding-window.js';

/** What the limits say to one request; the numbers describe the limit that has fewest left. */
export interface LimitDecision {
  admitted: boolean;
  /** The limit that refused; the numbers describe it then. Absent when admitted. */
  refusedBy?: 'per_ip' | 'total';
  limit: number;
  remaining: number;
  /** Whole ms after which a client is admitted that waits. */
  resetMs: number;
}

/** The limits of the service. `undefined` as a decision: no limit applies, the request passes. */
export interface Limits {
  /** A weather request: counts for the address (see `limiterIdentity`) and in total. */
  admitWeather(ip: string, scope: Scope): Promise<LimitDecision | undefined>;
  /** Any other counted request: counts in total only. */
  admitOther(scope: Scope): Promise<LimitDecision | undefined>;
}

/** The windows to decide by; one that is `undefined` is off. */
export interface LimitWindows {
  perIp: SlidingWindow | undefined;
  total: SlidingWindow | undefined;
  /** Decides when `perIp` cannot: this process's share. `undefined` when `perIp` never fails. */
  localPerIp: SlidingWindow | undefined;
  /** Decides when `total` cannot: this process's share. `undefined` when `total` never fails. */
  localTotal: SlidingWindow | undefined;
}

/** One request's place in one limit. */
interface Taken {
  state: WindowState;
  giveBack(scope: Scope): Promise<void>;
}

const TOTAL_KEY = 'all';

/** Runs work on the shared store; `undefined` when the store is away, which is no error here. */
async function unlessAway<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

async function take(
  shared: SlidingWindow,
  local: SlidingWindow | undefined,
  key: string,
  scope: Scope,
): Promise<Taken> {
  if (local === undefined) {
    const state = await shared.consume(key, scope);
    return { state, giveBack: (rest) => shared.refund(key, state, rest) };
  }
  const state = await unlessAway(shared.consume(key, scope));
  if (state?.admitted === false) return { state, giveBack: () => Promise.resolve() };
  // Admissions by the shared window are counted here too: if the store goes away in the middle of
  // a window, this process still knows what it has let through and does not begin again at zero.
  const own = await local.consume(key);
  return {
    state: state ?? own,
    async giveBack(rest) {
      if (own.admitted) await local.refund(key, own);
      // Without the store the count stays until it leaves the window: too strict, never too lax.
      if (state !== undefined) await unlessAway(shared.refund(key, state, rest));
    },
  };
}

function decide(state: WindowState, refusedBy?: 'per_ip' | 'total'): LimitDecision {
  return {
    admitted: refusedBy === undefined,
    ...(refusedBy === undefined ? {} : { refusedBy }),
    limit: state.limit,
    remaining: state.remaining,
    resetMs: state.msUntilOldestLeaves,
  };
}

/** Fewest left; with equally many left, the one that takes longer to recover. */
function tighter(a: WindowState, b: WindowState): WindowState {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.msUntilOldestLeaves >= b.msUntilOldestLeaves ? a : b;
}

/**
 * The limits over shared windows, each backed by one of this process for the time that the shared
 * store is away. Each limit is decided by the best window that answers: when the per-IP window
 * answered and the total's did not, the first decision stands and the total is decided here. The
 * scope sees to it that only one of the two is waited for.
 */
export function createLimits({ perIp, total, localPerIp, localTotal }: LimitWindows): Limits {
  async function admitOther(scope: Scope): Promise<LimitDecision | undefined> {
    if (total === undefined) return undefined;
    const { state } = await take(total, localTotal, TOTAL_KEY, scope);
    return decide(state, state.admitted ? undefined : 'total');
  }

  async function admitWeather(ip: string, scope: Scope): Promise<LimitDecision | undefined> {
    if (perIp === undefined) return admitOther(scope);
    const own = await take(perIp, localPerIp, ip, scope);
    // Refused here, before the total is asked: it must not use up what others may have.
    if (!own.state.admitted) return decide(own.state, 'per_ip');
    if (total === undefined) return decide(own.state);
    const all = await take(total, localTotal, TOTAL_KEY, scope);
    if (all.state.admitted) return decide(tighter(own.state, all.state));
    await own.giveBack(scope);
    return decide(all.state, 'total');
  }

  return { admitWeather, admitOther };
}
