import type { Scope } from '../weather/scope.js';
import type { Limiter } from './limiters.js';
import type { Verdict, WindowState } from './sliding-window.js';

/** What the rate limits say to one request; the numbers describe the limit that has fewest left. */
export interface AdmissionDecision {
  admitted: boolean;
  /** The limit that refused; the numbers describe it then. Absent when admitted. */
  refusedBy?: 'per_ip' | 'total';
  /** Requests per window. */
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Milliseconds, rounded up, until the oldest counted request leaves the window. */
  resetMs: number;
  /** What each limit says. Absent: it is off, or the other one refused. */
  own?: WindowState;
  total?: WindowState;
}

/** The rate limits. `undefined` as a decision: no limit applies, the request passes. */
export interface Admission {
  /** A weather request: counts for the client (see `limiterIdentity`) and in total. */
  admitWeather(client: string, scope: Scope): Promise<AdmissionDecision | undefined>;
  /** A request for recent searches: counts for the client in a window of its own, and in total. */
  admitSearches(client: string, scope: Scope): Promise<AdmissionDecision | undefined>;
  /** Suggestions: count for the client in a window of this process alone, and not in total. */
  admitSuggestions(client: string, scope: Scope): Promise<AdmissionDecision | undefined>;
}

/** Fewest left; with equally many left, the one that takes longer to recover. */
function tighter(a: WindowState, b: WindowState): WindowState {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.resetMs >= b.resetMs ? a : b;
}

function decide(verdict: Verdict): AdmissionDecision | undefined {
  const { refusedBy, own, total } = verdict;
  const state = own && total ? tighter(own, total) : (own ?? total);
  if (state === undefined) return undefined;
  const { limit, remaining, resetMs } = state;
  const described = { limit, remaining, resetMs, ...(own && { own }), ...(total && { total }) };
  if (refusedBy === undefined) return { admitted: true, ...described };
  return { admitted: false, refusedBy: refusedBy === 'own' ? 'per_ip' : 'total', ...described };
}

/** Admits by one limiter for each kind of request. */
export function createAdmission(
  limiters: Record<'weather' | 'searches' | 'suggestions', Limiter>,
): Admission {
  return {
    admitWeather: async (client, scope) => decide(await limiters.weather(client, scope)),
    admitSearches: async (client, scope) => decide(await limiters.searches(client, scope)),
    admitSuggestions: async (client, scope) => decide(await limiters.suggestions(client, scope)),
  };
}
