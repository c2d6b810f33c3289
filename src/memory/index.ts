import type { Config } from '../config/config.js';
import type { Stores } from '../stores.js';
import { MAX_NEAR_ENTRIES } from '../weather/cache-entry.js';
import type { Clock } from '../weather/types.js';
import { createMemoryCache } from './cache.js';
import { createMemoryFetchQueue } from './fetch-queue.js';
import { createMemoryWindows } from './memory-windows.js';
import { createMemorySessions } from './sessions.js';

/** Bounds of what one process keeps, in entries. */
const MAX_SESSIONS = 50_000;
/** Bounds of windows. A full window of the highest limit, 1,000,000 requests, has up to 1,400,000 instants. */
const LIMITS = { maxKeys: 100_000, maxInstants: 3_000_000 };
const SUGGESTIONS = { maxKeys: 20_000, maxInstants: 500_000 };
const BUDGETS = { maxKeys: 100, maxInstants: 1_000_000 };

/** Everything in this process. */
export function memoryStores(options: {
  config: Config;
  clock: Clock;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}): Stores {
  const { config, clock, ending } = options;
  const near = createMemoryCache({ clock, maxEntries: MAX_NEAR_ENTRIES });
  return {
    now: () => clock.now(),
    windows: {
      limits: createMemoryWindows({ clock, ...LIMITS }),
      suggestions: createMemoryWindows({ clock, ...SUGGESTIONS }),
      budgets: createMemoryWindows({ clock, ...BUDGETS }),
    },
    sessions: createMemorySessions({ clock, lives: config.session, maxSessions: MAX_SESSIONS }),
    near,
    fetchQueue: (fetcher) => createMemoryFetchQueue({ fetcher, cache: near, signal: ending }),
    // Whoever asks fetches: nothing ever waits to be run.
    startWorker: () => ({ isWell: () => true }),
    backlog: undefined,
    memory: undefined,
    state: () => ({ check: 'not_configured', wasReached: true }),
  };
}
