import { randomUUID } from 'node:crypto';
import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import { createSemaphore } from '../../upstream/semaphore.js';
import type { NearCache } from '../../weather/cache.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { WorkerProcess } from '../../stores.js';
import type { Clock } from '../../weather/types.js';
import { connect } from '../client/connection.js';
import type { GuardedStore } from '../client/guarded-store.js';
import { listenForAnnouncements } from './announcements.js';
import { createDemand } from './demand.js';
import { createRedisFetchQueue } from './fetch-queue.js';
import { createFetchJobs, QUEUE_PREFIX, type FetchJobs } from './jobs.js';
import { createFetchRecords } from './record.js';
import { createRunFetch, type RunFetch } from './run.js';
import { createWorkerHealth } from './worker-health.js';
import { startFetchWorker } from './worker.js';
import { showWorker, watchWorkers } from './workers-present.js';

/**
 * Fetches that one process runs at once: more than one provider lets through, so that those who
 * wait for one provider hold up no other.
 */
const fetchesAtOnce = (upstreamConcurrency: number) => Math.max(16, 4 * upstreamConcurrency);

/** The parts of the shared fetch, wired. */
export interface Fetching {
  queue(fetcher: Fetcher, local: FetchQueue): FetchQueue;
  startWorker(fetcher: Fetcher): WorkerProcess;
  backlog: FetchJobs['backlog'];
}

export function createFetching(options: {
  address: RedisAddress;
  store: GuardedStore;
  /** This process's copies, kept as new as the shared entries. */
  near: NearCache;
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}): Fetching {
  const { address, store, near, config, log, clock, lifecycle } = options;
  const processId = randomUUID();
  const records = createFetchRecords(store, { clock, processId });
  const jobs = createFetchJobs(store);
  const atOnce = fetchesAtOnce(config.upstream.concurrency);
  const running = new Set<Promise<unknown>>();
  // What is given up at the end is free for others only when Redis has heard of it.
  lifecycle.closes(async () => {
    await Promise.allSettled(running);
  });

  function tracked(runFetch: RunFetch): RunFetch {
    return (...args) => {
      const run = runFetch(...args);
      const settled = () => running.delete(run);
      running.add(run);
      run.then(settled, settled);
      return run;
    };
  }

  return {
    backlog: () => jobs.backlog(),

    queue(fetcher, local) {
      const subscriber = connect(address, 'subscriber', store.client);
      const announcements = listenForAnnouncements(subscriber, clock);
      // A refreshed entry replaces the copy that this process still holds of the older one.
      announcements.onEach(({ key, entry }) => {
        if (entry && near.peek(key)) near.put(key, entry.cached);
      });
      const workers = watchWorkers(store, clock, () => void jobs.clear().catch(() => undefined));
      announcements.onEach(({ by }) => {
        if (by === 'worker') workers.seen();
      });
      lifecycle.closes(() => {
        workers.close();
        announcements.close();
      });
      return createRedisFetchQueue({
        processId,
        records,
        jobs,
        announcements,
        demand: createDemand(store),
        workers,
        replyMs: () => store.replyMs(QUEUE_PREFIX),
        runFetch: tracked(createRunFetch({ records, fetcher, by: 'replica' })),
        slots: createSemaphore(atOnce),
        local,
        clock,
        log,
        refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
        signal: lifecycle.ending,
      });
    },

    startWorker(fetcher) {
      const health = createWorkerHealth({
        now: () => clock.monotonic(),
        isRedisDegraded: () => store.isDegraded,
        log,
      });
      const stopShowing = showWorker(store, () => records.greet(), health.isWell);
      const worker = startFetchWorker({
        client: connect(address, 'worker'),
        records,
        runFetch: tracked(createRunFetch({ records, fetcher, by: 'worker' })),
        concurrency: atOnce,
        health,
        log,
        signal: lifecycle.ending,
      });
      lifecycle.drains((limitMs) => {
        stopShowing();
        return worker.drain(limitMs);
      });
      lifecycle.closes(() => {
        worker.close();
      });
      return health;
    },
  };
}
