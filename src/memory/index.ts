import type { Config } from '../config/config.js';
import { createLocalLimiter } from '../limits/limiter.js';
import type { LocalStores } from '../stores.js';
import type { Budgets } from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';
import { createMemoryAnswers } from './answers.js';
import { createMemoryBudgets } from './budgets.js';
import { createMemoryCache } from './cache.js';
import { createMemoryFetchQueue } from './fetch-queue.js';
import { createMemorySessions } from './sessions.js';
import { createMemoryLimits } from './limits.js';

/** Bounds of what one process keeps, in entries. */
const MAX_CACHE_ENTRIES = 20_000;
const MAX_PROVIDER_ANSWERS = 5000;
const MAX_SESSIONS = 50_000;

/** Everything in this process. */
export function memoryStores(options: {
  config: Config;
  clock: Clock;
  /** So many processes share the rate limits and the providers' budgets. */
  replicas: number;
  /** Aborts when the process ends. */
  ending: AbortSignal;
  budgets: Budgets;
}): LocalStores {
  const { config, clock, replicas, ending, budgets } = options;
  const near = createMemoryCache({ clock, maxEntries: MAX_CACHE_ENTRIES });
  const windows = createMemoryLimits({ limits: config.rateLimits, replicas, clock });
  return {
    now: () => clock.now(),
    limiter: (kind) => createLocalLimiter(windows(kind)),
    windows,
    sessions: createMemorySessions({ clock, lives: config.session, maxSessions: MAX_SESSIONS }),
    budgets: createMemoryBudgets({ budgets, parts: replicas, clock }),
    answers: createMemoryAnswers({ clock, maxEntries: MAX_PROVIDER_ANSWERS }),
    near,
    fetchQueue: (fetcher) => createMemoryFetchQueue({ fetcher, cache: near, signal: ending }),
    // Whoever asks fetches: nothing ever waits to be run.
    startWorker: () => ({ isWell: () => true }),
    backlog: undefined,
    memory: undefined,
    state: () => Promise.resolve({ check: 'not_configured', wasReached: true }),
  };
}
