import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import type { WorkerProcess } from '../../stores.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { Clock } from '../../weather/types.js';
import { connect } from '../client/connection.js';
import type { RedisStore } from '../client/port.js';
import { subscribeTo } from '../client/subscription.js';
import type { Names } from '../names.js';
import { createFetchJobs, type FetchJobs } from './fetch-jobs.js';
import { createFetchMessages } from './fetch-messages.js';
import { startFetchWorker } from './fetch-worker.js';
import { createSharedEntries, type SharedEntries } from './shared-entries.js';
import { createSharedFetch } from './shared-fetch.js';

interface Options {
  address: RedisAddress;
  store: RedisStore;
  names: Names;
  clock: Clock;
  config: Config;
  log: Logger;
  lifecycle: Lifecycle;
}

/** The options and objects that the files of this folder share. */
export interface Parts extends Options {
  entries: SharedEntries;
  jobs: FetchJobs;
  kinds: Kinds;
  fetcher: Fetcher;
}

/** Wires the shared fetch. */
export function createFetching(options: Options) {
  const { address, store, names, lifecycle } = options;
  const jobs = createFetchJobs(options);
  const entries = createSharedEntries(options);

  return {
    backlog: () => jobs.backlog(),
    queue(fetcher: Fetcher, kinds: Kinds): FetchQueue {
      const messages = createFetchMessages();
      const client = connect(address, 'subscriber');
      const subscription = subscribeTo(names.fetchMessages, client, store, messages.receive);
      lifecycle.closes(subscription.close);
      return createSharedFetch(messages, { ...options, entries, jobs, fetcher, kinds });
    },
    startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess {
      const client = connect(address, 'worker');
      const worker = startFetchWorker(client, { ...options, entries, jobs, fetcher, kinds });
      lifecycle.drains(worker.drain);
      lifecycle.closes(worker.close);
      return worker;
    },
  };
}
