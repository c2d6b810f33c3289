import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { Clock } from '../../weather/types.js';
import type { GuardedRedis } from '../client/guarded-redis.js';
import type { Names } from '../names.js';
import type { JobQueue } from './job-queue.js';
import type { SharedEntries } from './shared-entries.js';

/** The options of the shared fetch of a process. */
export interface FetchingOptions {
  address: RedisAddress;
  redis: GuardedRedis;
  names: Names;
  clock: Clock;
  config: Config;
  log: Logger;
  lifecycle: Lifecycle;
}

/** The options and objects that worker and replica share. */
export interface FetchingParts extends FetchingOptions {
  entries: SharedEntries;
  jobs: JobQueue;
  kinds: Kinds;
  fetcher: Fetcher;
}
