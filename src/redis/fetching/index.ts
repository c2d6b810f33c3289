import type { WorkerProcess } from '../../store.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { SharedCache } from '../../weather/shared-cache.js';
import { connect } from '../client/connection.js';
import { subscribeTo } from '../client/subscription.js';
import { createJobQueue } from './job-queue.js';
import { createMessageRouter } from './fetch-messages.js';
import { startFetchWorker } from './fetch-worker.js';
import type { FetchingOptions } from './fetching-parts.js';
import { createSharedEntries } from './shared-entries.js';
import { createRedisSharedCache } from './redis-shared-cache.js';

/** Wires the shared fetch. */
export function createFetching(options: FetchingOptions) {
  const { address, redis, names, lifecycle } = options;
  const jobs = createJobQueue(options);

  return {
    backlog: () => jobs.backlog(),
    sharedCache(fetcher: Fetcher, kinds: Kinds): SharedCache {
      const messages = createMessageRouter();
      const client = connect(address, 'subscriber');
      const subscription = subscribeTo(names.fetchMessages, client, redis, messages.receive);
      lifecycle.onClose(subscription.close);
      const entries = createSharedEntries(options, kinds);
      return createRedisSharedCache(messages, { ...options, entries, jobs, fetcher, kinds });
    },
    startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess {
      const entries = createSharedEntries(options, kinds);
      const worker = startFetchWorker({ ...options, entries, jobs, fetcher, kinds });
      lifecycle.onDrain(worker.drain);
      lifecycle.onClose(worker.close);
      return worker;
    },
  };
}
