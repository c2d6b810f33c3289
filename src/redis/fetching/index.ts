import type { WorkerProcess } from '../../stores.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import { connect } from '../client/connection.js';
import { subscribeTo } from '../client/subscription.js';
import { createFetchJobs } from './fetch-jobs.js';
import { createFetchMessages } from './fetch-messages.js';
import { startFetchWorker } from './fetch-worker.js';
import type { FetchingOptions } from './fetching-options.js';
import { createSharedEntries } from './shared-entries.js';
import { createSharedFetch } from './shared-fetch.js';

/** Wires the shared fetch. */
export function createFetching(options: FetchingOptions) {
  const { address, store, names, lifecycle } = options;
  const jobs = createFetchJobs(options);

  return {
    backlog: () => jobs.backlog(),
    queue(fetcher: Fetcher, kinds: Kinds): FetchQueue {
      const messages = createFetchMessages();
      const client = connect(address, 'subscriber');
      const subscription = subscribeTo(names.fetchMessages, client, store, messages.receive);
      lifecycle.closes(subscription.close);
      const entries = createSharedEntries(options, kinds);
      return createSharedFetch(messages, { ...options, entries, jobs, fetcher, kinds });
    },
    startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess {
      const entries = createSharedEntries(options, kinds);
      const worker = startFetchWorker({ ...options, entries, jobs, fetcher, kinds });
      lifecycle.drains(worker.drain);
      lifecycle.closes(worker.close);
      return worker;
    },
  };
}
