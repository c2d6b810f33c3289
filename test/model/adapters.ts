/** The parts of `src/` that the model tests use. */
export { StoreUnavailableError } from '../../src/base/errors.js';
export type { RequestState } from '../../src/http/context.js';
export { jsonAnswer } from '../../src/http/answer.js';
export { errorAnswer } from '../../src/http/error-answers.js';
export { createSessions as createRequestSessions } from '../../src/http/edge/session-cookie.js';
export { recentSearchRoutes } from '../../src/http/endpoints/recent-search-routes.js';
export { loadConfig } from '../../src/config/config.js';
export { withFallback } from '../../src/redis/windows-fallback.js';
export { createMemoryCache } from '../../src/memory/memory-cache.js';
export { createBatcher } from '../../src/redis/client/batcher.js';
export { mastersOf } from '../../src/redis/client/masters.js';
export type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
export { REPLY_MS, RETRY_MS } from '../../src/redis/client/timing.js';
export type { FetchJob, JobQueue } from '../../src/redis/fetching/job-queue.js';
export { createMessageRouter } from '../../src/redis/fetching/fetch-messages.js';
export { createJobProcessor, createSlots } from '../../src/redis/fetching/fetch-worker.js';
export { createSharedEntries } from '../../src/redis/fetching/shared-entries.js';
export { createRedisSharedCache } from '../../src/redis/fetching/redis-shared-cache.js';
export { noInstruments } from '../../src/base/instruments.js';
export { createFetcher, register } from '../../src/weather/fetch.js';
export { keyOf } from '../../src/weather/kinds/kind.js';
export { createLookup } from '../../src/weather/lookup.js';
export { POSITION } from '../../src/weather/kinds/position.js';
export { createNames } from '../../src/redis/names.js';
export { createRedisWindows } from '../../src/redis/redis-windows.js';
export { createRedisSessions } from '../../src/redis/redis-sessions.js';
export type { Clock } from '../../src/weather/types.js';
export {
  MAX_RECENT_SEARCHES,
  type TimedSearch,
  type Sessions,
} from '../../src/weather/recent-searches.js';
