import type { StoreState } from '../stores.js';
import type { Phase } from './lifecycle.js';

/** How the parts are that readiness depends on. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'down' | 'not_configured' | 'draining'>;
}

/**
 * Whether this process wants requests: not before the store was reached once, not while draining,
 * and, where the store is required, not while it is unavailable.
 */
export function createReadiness(options: {
  phase: () => Phase;
  storeState: () => StoreState;
  requiresStore: boolean;
}): () => Readiness {
  const { phase, storeState, requiresStore } = options;
  return () => {
    const { check, wasReached } = storeState();
    const storeAllows = wasReached && (check !== 'down' || !requiresStore);
    if (phase() === 'serving') return { ready: storeAllows, checks: { redis: check } };
    return { ready: false, checks: { redis: check, server: 'draining' } };
  };
}
