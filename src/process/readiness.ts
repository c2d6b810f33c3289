import type { StoreState } from '../store.js';

/** The readiness of a process, and the states that it depends on. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'down' | 'not_configured' | 'draining'>;
}

/**
 * Returns a function that decides whether this process is ready. It is not ready before it has
 * reached the store for the first time, nor while it drains. If the store is required, it is not
 * ready while the store is unavailable.
 */
export function createReadiness(options: {
  isDraining: () => boolean;
  storeState: () => StoreState;
  requiresStore: boolean;
}): () => Readiness {
  const { isDraining, storeState, requiresStore } = options;
  return () => {
    const { check, wasReached } = storeState();
    const storeAllows = wasReached && (check !== 'down' || !requiresStore);
    if (isDraining()) return { ready: false, checks: { redis: check, server: 'draining' } };
    return { ready: storeAllows, checks: { redis: check } };
  };
}
