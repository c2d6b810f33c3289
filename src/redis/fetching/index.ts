import type { RunningWorker } from '../../store.js';
import type { Fetching } from '../../weather/fetch.js';
import type { SharedCache } from '../../weather/lookup.js';
import { connect } from '../client/connection.js';
import type { FetchingOptions } from './fetching-options.js';
import type { FetchingParts } from './fetching-parts.js';
import { createJobQueue } from './job-queue.js';
import { createMessageRouter, subscribe } from './fetch-messages.js';
import { startFetchWorker } from './fetch-worker.js';
import { createSharedEntries } from './shared-entries.js';
import { createRedisSharedCache } from './redis-shared-cache.js';
import { createSlots } from './slots.js';

export function createSharedFetching(options: FetchingOptions) {
  const { address, redis, names, lifecycle } = options;
  const jobs = createJobQueue(options);
  // Twice one provider's concurrency limit: while a provider hangs, slots remain for the others.
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
