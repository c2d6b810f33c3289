import { LRUCache } from 'lru-cache';
import type { Clock } from '../weather/types.js';
import type { Verdict, WindowState } from './sliding-window.js';

/**
 * Redis's clock and ours may drift apart by this part of a wait. A refusal is forgotten so much
 * earlier; then the store is asked, and nobody is refused whom it would admit.
 */
const DRIFT = 0.001;

interface Refusal {
  limit: number;
  /** Until then the store would refuse too. Milliseconds of the monotonic clock, as `resetAt`. */
  until: number;
  /** From then on the store admits for certain. */
  resetAt: number;
}

/** What the shared store has refused, so that it need not be asked again until the reset time. */
export interface Refusals {
  /** The refusal that still holds for a client, if there is one. */
  find(client: string): Verdict | undefined;
  /**
   * Keeps a verdict of the shared store when it refused.
   * @param askedAt when the store was asked, in milliseconds of the monotonic clock
   */
  keep(client: string, verdict: Verdict, askedAt: number): void;
  /** To be called when the store has taken a counted request of this client back. */
  forget(client: string): void;
}

/** The refusals of the total: all clients share them. */
export type TotalRefusal = ReturnType<typeof createTotalRefusal>;

function toRefusal({ limit, resetMs }: WindowState, askedAt: number, now: number): Refusal {
  return { limit, until: askedAt + resetMs * (1 - DRIFT), resetAt: now + resetMs };
}

const toState = ({ limit, resetAt }: Refusal, now: number): WindowState => ({
  limit,
  remaining: 0,
  resetMs: Math.ceil(resetAt - now),
});

/** The last refusal by the total. */
export function createTotalRefusal() {
  let last: Refusal | undefined;
  return {
    find(now: number): WindowState | undefined {
      if (last === undefined) return undefined;
      if (last.until > now) return toState(last, now);
      last = undefined;
      return undefined;
    },
    keep(state: WindowState, askedAt: number, now: number): void {
      last = toRefusal(state, askedAt, now);
    },
  };
}

/**
 * Refusals in this process, for one kind of request. Memory is bounded: at most `maxClients`
 * clients; beyond it the store is asked again for the client that was seen longest ago. No timers.
 */
export function createRefusals(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxClients: number;
  total: TotalRefusal;
}): Refusals {
  const { clock, maxClients, total } = options;
  const clients = new LRUCache<string, Refusal>({ max: maxClients });

  return {
    find(client) {
      const now = clock.monotonic();
      const own = clients.get(client);
      if (own) {
        if (own.until > now) return { refusedBy: 'own', own: toState(own, now) };
        clients.delete(client);
      }
      const all = total.find(now);
      return all && { refusedBy: 'total', total: all };
    },
    keep(client, verdict, askedAt) {
      const now = clock.monotonic();
      if (verdict.refusedBy === 'own' && verdict.own) {
        clients.set(client, toRefusal(verdict.own, askedAt, now));
      } else if (verdict.refusedBy === 'total' && verdict.total) {
        total.keep(verdict.total, askedAt, now);
      }
    },
    forget(client) {
      clients.delete(client);
    },
  };
}
