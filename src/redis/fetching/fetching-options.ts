import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { RedisStore } from '../client/redis.js';
import type { Names } from '../names.js';

/** The options of the shared fetch of a process. */
export interface FetchingOptions {
  address: RedisAddress;
  store: RedisStore;
  names: Names;
  clock: Clock;
  config: Config;
  log: Logger;
  lifecycle: Lifecycle;
}
