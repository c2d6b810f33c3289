import type { RedisAddress } from '../../config/config.js';
import type { ProcessContext } from '../../process/context.js';
import type { GuardedRedis } from '../client/guarded-redis.js';
import type { Names } from '../names.js';

export interface FetchingOptions extends ProcessContext {
  address: RedisAddress;
  redis: GuardedRedis;
  names: Names;
}
