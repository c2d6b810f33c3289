import type { Config } from '../config/config.js';
import type { LocalStores } from '../stores.js';
import { MAX_NEAR_PLACES } from '../weather/cache.js';
import type { Clock } from '../weather/types.js';
import { createMemoryAnswers } from './answers.js';
import { createMemoryCache } from './cache.js';
import { createMemoryFetchQueue } from './fetch-queue.js';
import { createMemorySessions } from './sessions.js';
import { createMemoryWindows } from './windows.js';

/** Bounds of what one process keeps, in entries. */
const MAX_PROVIDER_ANSWERS = 5000;
const MAX_SESSIONS = 50_000;
/** Bounds of what windows keep: keys, and instants of 8 bytes each. */
const LIMITS = { maxKeys: 100_000, maxInstants: 1_000_000 };
const SUGGESTIONS = { maxKeys: 20_000, maxInstants: 500_000 };
const BUDGETS = { maxKeys: 100, maxInstants: 1_000_000 };

/** Everything in this process. */
export function memoryStores(options: {
  config: Config;
  clock: Clock;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}): LocalStores {
  const { config, clock, ending } = options;
  const near = createMemoryCache({ clock, maxEntries: MAX_NEAR_PLACES });
  return {
    now: () => clock.now(),
    windows: {
      limits: createMemoryWindows({ clock, ...LIMITS }),
      suggestions: createMemoryWindows({ clock, ...SUGGESTIONS }),
      budgets: createMemoryWindows({ clock, ...BUDGETS }),
    },
    sessions: createMemorySessions({ clock, lives: config.session, maxSessions: MAX_SESSIONS }),
    // There is nobody else to learn it: this process's own breaker knows.
    quotas: { tell: () => Promise.resolve(0) },
    answers: createMemoryAnswers({ clock, maxEntries: MAX_PROVIDER_ANSWERS }),
    near,
    fetchQueue: (fetcher) => createMemoryFetchQueue({ fetcher, cache: near, signal: ending }),
    // Whoever asks fetches: nothing ever waits to be run.
    startWorker: () => ({ isWell: () => true }),
    backlog: undefined,
    memory: undefined,
    state: () => ({ check: 'not_configured', wasReached: true }),
  };
}
