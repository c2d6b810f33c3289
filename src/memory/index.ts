import type { ProcessContext } from '../process/context.js';
import type { Store } from '../store.js';
import { createMemoryCache, createMemorySharedCache } from './memory-cache.js';
import { createMemoryWindows } from './memory-windows.js';
import { createMemorySessions } from './memory-sessions.js';

/** The near cache: about 20,000 entries of current weather, or 1,000 to 4,000 forecasts. */
const MAX_NEAR_BYTES = 32_000_000;
const MAX_SESSIONS = 50_000;
/** Bounds of the windows. One of 1,000,000 requests, the highest limit, has 1,400,000 instants. */
const LIMITS = { maxKeys: 100_000, maxInstants: 3_000_000 };
const SUGGESTIONS = { maxKeys: 20_000, maxInstants: 500_000 };
const BUDGETS = { maxKeys: 100, maxInstants: 1_000_000 };

export function memoryStore({ config, clock, lifecycle }: Omit<ProcessContext, 'log'>): Store {
  const near = createMemoryCache({ clock, maxBytes: MAX_NEAR_BYTES });
  return {
    windows: {
      limits: createMemoryWindows({ clock, ...LIMITS }),
      suggestions: createMemoryWindows({ clock, ...SUGGESTIONS }),
      budgets: createMemoryWindows({ clock, ...BUDGETS }),
    },
    sessions: createMemorySessions({ clock, ttls: config.sessionTtls, maxSessions: MAX_SESSIONS }),
    near,
    sharedCache: ({ fetcher }) =>
      createMemorySharedCache({ fetcher, cache: near, signal: lifecycle.ending }),
    // Each lookup runs its fetch itself, so there are no jobs.
    startWorker: () => ({ isHealthy: () => true }),
    backlog: undefined,
    state: () => ({ check: 'not_configured', wasReached: true }),
  };
}
