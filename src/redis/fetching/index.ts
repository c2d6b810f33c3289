import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import type { NearCache } from '../../weather/cache.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { WorkerProcess } from '../../stores.js';
import type { Clock } from '../../weather/types.js';
import { connect } from '../client/connection.js';
import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { listenForAnnouncements, type End } from './announcements.js';
import { createFetchJobs } from './jobs.js';
import { createRedisFetchQueue } from './queue.js';
import { createFetchRecords } from './record.js';
import { createRuns, type RunFetch } from './run.js';
import { startFetchWorker } from './worker.js';
import { createGreet, watchWorkers } from './workers.js';

/** More than the concurrency limit of one provider: fetches that wait for it hold up no others. */
const fetchesAtOnce = (upstreamConcurrency: number) => Math.max(16, 4 * upstreamConcurrency);

/** The parts of the shared fetch, wired. */
export function createFetching(options: {
  address: RedisAddress;
  store: RedisStore;
  names: Names;
  /** This process's copies, kept as new as the shared entries. */
  near: NearCache;
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}) {
  const { address, store, names, near, config, log, clock, lifecycle } = options;
  const records = createFetchRecords(store, { clock, names });
  const jobs = createFetchJobs(store, names);
  const atOnce = fetchesAtOnce(config.upstream.concurrency);
  const signal = lifecycle.ending;

  function runnerOf(fetcher: Fetcher, by: End['by']): RunFetch {
    const { run, settled } = createRuns({ records, fetcher, by, clock });
    // What is given up at the end is free for others only when Redis has heard of it.
    lifecycle.closes(settled);
    return run;
  }

  return {
    backlog: () => jobs.backlog(),

    queue(fetcher: Fetcher): FetchQueue {
      const subscriber = connect(address, 'subscriber', store.client);
      const announcements = listenForAnnouncements(subscriber, { clock, names, store });
      // A refreshed entry replaces the copy that this process still holds of the older one.
      announcements.onEach(({ key, entry }) => {
        const copy = near.peek(key);
        if (entry && copy && entry.fetchedAt >= copy.fetchedAt) near.put(key, entry);
      });
      const workers = watchWorkers({ announcements, jobs });
      lifecycle.closes(() => {
        workers.close();
        announcements.close();
      });
      return createRedisFetchQueue({
        records,
        jobs,
        announcements,
        workers,
        runFetch: runnerOf(fetcher, 'replica'),
        maxRuns: atOnce,
        refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
        clock,
        signal,
      });
    },

    startWorker(fetcher: Fetcher): WorkerProcess {
      const worker = startFetchWorker({
        client: connect(address, 'worker'),
        store,
        names,
        records,
        runFetch: runnerOf(fetcher, 'worker'),
        greet: createGreet(store, names),
        concurrency: atOnce,
        clock,
        log,
        signal,
      });
      lifecycle.drains((limitMs) => worker.drain(limitMs));
      lifecycle.closes(() => {
        worker.close();
      });
      return worker;
    },
  };
}
