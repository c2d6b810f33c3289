import type { Windows } from './limits/rate-limit-window.js';
import type { NearCache } from './weather/cache-entry.js';
import type { Fetching } from './weather/fetch.js';
import type { SharedCache } from './weather/lookup.js';
import type { Sessions } from './weather/recent-searches.js';

/** The availability of a store, as the readiness probe reports it. */
export interface StoreState {
  check: 'ok' | 'down' | 'not_configured';
  /** Whether the store was available at least once since the start of the process. */
  wasReached: boolean;
}

/** A worker that was started in this process. */
export interface RunningWorker {
  /** Whether it can take jobs, as far as is known. */
  isHealthy: () => boolean;
}

/**
 * Everything that outlives a request, in Redis or in memory. While Redis is unavailable, a process
 * uses the store in memory.
 */
export interface Store {
  /** By their use: each has its own bound on memory. */
  windows: Record<'limits' | 'suggestions' | 'budgets', Windows>;
  sessions: Sessions;
  near: NearCache;
  sharedCache(fetching: Fetching): SharedCache;
  /** Starts a worker, which runs the queued fetches of all processes. */
  startWorker(fetching: Fetching): RunningWorker;
  /** Counts queued fetches. `oldestMs`: age of the oldest. Undefined: the store has no queue. */
  backlog: (() => Promise<{ waiting: number; oldestMs: number }>) | undefined;
  /** Returns the state that is known. Sends nothing. */
  state(): StoreState;
}
