import type { Windows } from './limits/rate-limit-window.js';
import type { NearCache } from './weather/cache-entry.js';
import type { Fetcher } from './weather/fetch.js';
import type { Kinds } from './weather/kind.js';
import type { FetchQueue } from './weather/queue.js';
import type { Sessions } from './recent-searches.js';

/** How a store is right now. */
export interface StoreState {
  check: 'ok' | 'down' | 'not_configured';
  /** Whether it was reached at least once. */
  wasReached: boolean;
}

/** Bytes in use, and how many are allowed; `limit` 0: no limit. */
export interface StoreMemory {
  used: number;
  limit: number;
}

/** A worker that was started in this process. */
export interface WorkerProcess {
  /** Whether it can take what waits to be run. */
  isWell: () => boolean;
}

/** Windows by their use. Each use has its own bound on memory. */
export type WindowsByUse = Record<'limits' | 'suggestions' | 'budgets', Windows>;

/**
 * Everything that is kept beside the code: one folder a kind of store, each with an `index.ts` that
 * gives this. What serves alone in memory also stands in while Redis is unavailable.
 */
export interface Stores {
  /** The clock that decides limits and lives, in Unix milliseconds. */
  now(): number;
  windows: WindowsByUse;
  sessions: Sessions;
  near: NearCache;
  fetchQueue(fetcher: Fetcher, kinds: Kinds): FetchQueue;
  /** Takes fetches that wait to be run, by whichever process they are asked for. */
  startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess;
  /** Fetches that wait to be run, and the age of the oldest in milliseconds. */
  backlog: (() => Promise<{ waiting: number; oldestMs: number }>) | undefined;
  /** How full the store is. Undefined where that is this process's own memory. */
  memory: (() => Promise<StoreMemory>) | undefined;
  /** Asks nobody. */
  state(): StoreState;
}
