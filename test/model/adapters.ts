/** The parts of `src/` that the model tests use. */
export { StoreUnavailableError } from '../../src/errors.js';
export type { RequestState } from '../../src/http/context.js';
export { sessions as createRequestSessions } from '../../src/http/middleware/session-cookie.js';
export { recentSearchRoutes } from '../../src/http/routes/recent-searches.js';
export { withRememberedRejections } from '../../src/limits/remembered-rejections.js';
export type { RedisStore } from '../../src/redis/client/port.js';
export { topologyOf } from '../../src/redis/client/topology.js';
export { createNames } from '../../src/redis/names.js';
export { createRedisWindows } from '../../src/redis/redis-windows.js';
export { createRedisSessions } from '../../src/redis/redis-sessions.js';
export {
  MAX_RECENT_SEARCHES,
  type AnsweredSearch,
  type Sessions,
} from '../../src/recent-searches.js';
