import type { Windows } from './limits/rate-limit-window.js';
import type { NearCache } from './weather/cache-entry.js';
import type { Fetcher } from './weather/fetch.js';
import type { Kinds } from './weather/kind.js';
import type { FetchQueue } from './weather/queue.js';
import type { Sessions } from './weather/recent-searches.js';

/** The availability of a store, as the readiness probe reports it. */
export interface StoreState {
  check: 'ok' | 'down' | 'not_configured';
  /** Whether the store was available at least once since the start of the process. */
  wasReached: boolean;
}

/** A worker that was started in this process. */
export interface WorkerProcess {
  /** Whether it can take jobs, as far as is known. */
  isHealthy: () => boolean;
}

/** Rate limit windows by their use. Each use has its own bound on memory. */
export type WindowsByUse = Record<'limits' | 'suggestions' | 'budgets', Windows>;

/**
 * All state that outlives a request. Each kind of store is one folder, whose `index.ts` creates
 * this. A process without Redis uses the stores in memory. They also take over while Redis is
 * unavailable.
 */
export interface Stores {
  windows: WindowsByUse;
  sessions: Sessions;
  near: NearCache;
  fetchQueue(fetcher: Fetcher, kinds: Kinds): FetchQueue;
  /** Starts a worker, which runs the queued fetches of all processes. */
  startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess;
  /** Counts the queued fetches. `oldestMs`: age of the oldest; 0 without a worker. Undefined: the store has no queue. */
  backlog: (() => Promise<{ waiting: number; oldestMs: number }>) | undefined;
  /** Returns the state that is known. Sends nothing. */
  state(): StoreState;
}
