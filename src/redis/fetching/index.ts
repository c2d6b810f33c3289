import type { RedisAddress } from '../../config/config.js';
import type { ProcessContext } from '../../process/context.js';
import type { RunningWorker } from '../../store.js';
import type { Fetching } from '../../weather/fetch.js';
import type { SharedCache } from '../../weather/lookup.js';
import { connect } from '../client/connection.js';
import type { GuardedRedis } from '../client/guarded-redis.js';
import type { Names } from '../names.js';
import { createJobQueue, type JobQueue } from './job-queue.js';
import { createMessageRouter, subscribe } from './fetch-messages.js';
import { createSlots, startFetchWorker, type Slots } from './fetch-worker.js';
import { createSharedEntries, type SharedEntries } from './shared-entries.js';
import { createRedisSharedCache } from './redis-shared-cache.js';

export interface FetchingOptions extends ProcessContext {
  address: RedisAddress;
  redis: GuardedRedis;
  names: Names;
}

export interface FetchingParts extends FetchingOptions, Fetching {
  entries: SharedEntries;
  jobs: JobQueue;
  slots: Slots;
}

export function createSharedFetching(options: FetchingOptions) {
  const { address, redis, names, lifecycle } = options;
  const jobs = createJobQueue(options);
  // Twice the concurrency limit of one provider: while a provider hangs, slots remain for the others.
  const slots = createSlots(2 * options.config.UPSTREAM_CONCURRENCY, options.clock);

  const messages = createMessageRouter();
  const partsWith = (fetching: Fetching): FetchingParts => {
    const entries = createSharedEntries(options, messages, fetching.kinds);
    return { ...options, ...fetching, entries, jobs, slots };
  };

  return {
    backlog: jobs.backlog,
    sharedCache(fetching: Fetching): SharedCache {
      const client = connect(address, 'subscriber');
      lifecycle.onClose(subscribe(names.fetchMessages, client, messages.receive, redis.report));
      return createRedisSharedCache(messages, partsWith(fetching));
    },
    startWorker(fetching: Fetching): RunningWorker {
      return startFetchWorker(partsWith(fetching));
    },
  };
}
