import type { Config, RedisAddress } from '../../config/config.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import type { Logger } from '../../process/log.js';
import type { WorkerProcess } from '../../stores.js';
import type { NearCache } from '../../weather/cache.js';
import type { Fetcher } from '../../weather/fetch.js';
import type { Kinds } from '../../weather/kind.js';
import type { FetchQueue } from '../../weather/queue.js';
import type { Clock } from '../../weather/types.js';
import { connect } from '../client/connection.js';
import type { RedisStore } from '../client/port.js';
import type { Names } from '../names.js';
import { createFetchJobs } from './fetch-jobs.js';
import { createFetchRunner } from './fetch-runner.js';
import { startFetchWorker } from './fetch-worker.js';
import { subscribeToFetches } from './messages.js';
import { createSharedEntries } from './shared-entries.js';
import { createSharedFetch } from './shared-fetch.js';

/** Milliseconds for which a request waits at most until its fetch starts. */
const MAX_JOB_AGE_MS = 20_000;

interface Options {
  address: RedisAddress;
  store: RedisStore;
  names: Names;
  /** A published entry replaces an older one in it. */
  near: NearCache;
  config: Config;
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
}

/** What the files of this folder share. */
export interface Parts extends Options {
  kinds: Kinds;
  fetcher: Fetcher;
  /** Fetches that a process runs at the same time for its requests, or as a worker. */
  maxRuns: number;
  /** A job that is older is dropped: no request waits for it any more. */
  maxJobAgeMs: number;
  refreshAheadMs: number;
  /** Aborts the fetches that run. */
  signal: AbortSignal;
}

/** Wires the shared fetch. */
export function createFetching(options: Options) {
  const { address, near, config, lifecycle } = options;
  const jobs = createFetchJobs(options);
  let shared: ReturnType<typeof createShared> | undefined;

  /** Once for each process: one that serves and works runs one fetch for a key. */
  function createShared(fetcher: Fetcher, kinds: Kinds) {
    const parts: Parts = {
      ...{ ...options, fetcher, kinds, signal: lifecycle.ending },
      // Twice the limit of one provider: if it hangs, there are slots for the others.
      maxRuns: 2 * config.upstream.concurrency,
      maxJobAgeMs: Math.min(MAX_JOB_AGE_MS, config.requestTimeoutMs),
      refreshAheadMs: config.cache.refreshAheadSeconds * 1000,
    };
    const entries = createSharedEntries(parts);
    const runner = createFetchRunner(entries, parts);
    // Other processes run what is aborted at the end, as soon as that is published.
    lifecycle.closes(() => runner.settled());
    return { parts, entries, runner };
  }

  return {
    backlog: () => jobs.backlog(),
    queue(fetcher: Fetcher, kinds: Kinds): FetchQueue {
      const { parts, ...rest } = (shared ??= createShared(fetcher, kinds));
      const messages = subscribeToFetches(connect(address, 'subscriber'), parts);
      messages.onMessage(({ key, entry }) => {
        const copy = near.peek(key);
        if (entry && copy && entry.fetchedAt >= copy.fetchedAt) near.put(key, entry);
      });
      lifecycle.closes(() => {
        messages.close();
      });
      return createSharedFetch({ ...rest, jobs, messages }, parts);
    },
    startWorker(fetcher: Fetcher, kinds: Kinds): WorkerProcess {
      const { parts, runner } = (shared ??= createShared(fetcher, kinds));
      const worker = startFetchWorker(connect(address, 'worker'), runner, parts);
      lifecycle.drains((limitMs) => worker.drain(limitMs));
      lifecycle.closes(() => {
        worker.close();
      });
      return worker;
    },
  };
}
