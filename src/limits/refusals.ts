import { LRUCache } from 'lru-cache';
import type { Clock } from '../weather/types.js';
import type { RequestKind, Verdict } from './limiter.js';
import type { WindowState } from './window.js';

/**
 * Redis's clock and ours may drift apart by this part of a wait. A refusal is forgotten so much
 * earlier; then the store is asked, and nobody is refused whom it would admit.
 */
const DRIFT = 0.001;
/** The total refuses all clients and kinds of request alike. No client's key is this one. */
const TOTAL = 'total';

interface Refusal {
  limit: number;
  /** Until then the store would refuse too. Milliseconds of the monotonic clock, as `resetAt`. */
  until: number;
  /** From then on the store admits for certain. */
  resetAt: number;
}

/**
 * What the shared windows refused: they need not be asked again before the reset time. Memory is
 * bounded; a refusal that had to make room is only asked for again.
 */
export interface Refusals {
  /** The refusal that still holds for a client, if there is one. */
  find(kind: RequestKind, client: string): Verdict | undefined;
  /** @param askedAt when the windows were asked, in milliseconds of the monotonic clock */
  keep(kind: RequestKind, client: string, refusal: Verdict, askedAt: number): void;
}

export function createRefusals(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxRefusals: number;
}): Refusals {
  const { clock, maxRefusals } = options;
  const refusals = new LRUCache<string, Refusal>({ max: maxRefusals });
  const keyOf = (kind: RequestKind, client: string) => `${kind}:${client}`;

  function stateOf(key: string, now: number): WindowState | undefined {
    const refusal = refusals.get(key);
    if (refusal === undefined) return undefined;
    if (refusal.until > now) {
      const { limit, resetAt } = refusal;
      return { limit, remaining: 0, resetMs: Math.ceil(resetAt - now) };
    }
    refusals.delete(key);
    return undefined;
  }

  return {
    find(kind, client) {
      if (refusals.size === 0) return undefined;
      const now = clock.monotonic();
      const perIp = stateOf(keyOf(kind, client), now);
      if (perIp) return { refusedBy: 'per_ip', per_ip: perIp };
      const total = stateOf(TOTAL, now);
      return total && { refusedBy: 'total', total };
    },
    keep(kind, client, { refusedBy, per_ip, total }, askedAt) {
      const state = refusedBy === 'total' ? total : per_ip;
      if (state === undefined) return;
      const { limit, resetMs } = state;
      const until = askedAt + resetMs * (1 - DRIFT);
      const key = refusedBy === 'total' ? TOTAL : keyOf(kind, client);
      refusals.set(key, { limit, until, resetAt: clock.monotonic() + resetMs });
    },
  };
}
