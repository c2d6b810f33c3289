import { Queue } from 'bullmq';
import type { FetchRequest } from '../../weather/request.js';
import type { Scope } from '../../weather/scope.js';
import type { GuardedStore } from '../client/guarded-store.js';
import { isObject, isPoint } from './entry.js';

/** All of the queue's keys on one cluster node, as its scripts need it. */
export const QUEUE_PREFIX = '{weather:queue}';
export const QUEUE_NAME = 'fetches';

/** Nobody reads the queue's events. */
const MAX_EVENTS = 100;
/** BullMQ keeps jobs for ever. What every process has forgotten goes after so long. */
const LEFTOVER_MS = 300_000;
/** The lists of jobs live on from one job to the next: their life is renewed this often. */
const RENEWAL_MS = 1000;

/** What a job tells a worker. Its id is the id of the fetch. */
export interface FetchJob {
  request: FetchRequest;
  /** An entry that is fresh for longer than this needs no fetch, in milliseconds. */
  freshForMs: number;
}

/** What Redis says is input: the job that a value is; undefined when it is none. */
export function readJob(value: unknown): FetchJob | undefined {
  if (!isObject(value) || !isRequest(value['request'])) return undefined;
  const { request, freshForMs } = value;
  return { request, freshForMs: typeof freshForMs === 'number' ? freshForMs : 0 };
}

function isRequest(value: unknown): value is FetchRequest {
  if (!isObject(value)) return false;
  if (value['kind'] === 'weather') return isPoint(value['point']);
  const texts = [value['city'], value['countryCode'], value['name']];
  return value['kind'] === 'geocode' && texts.every((text) => typeof text === 'string');
}

/** The tickets by which workers learn of fetches that wait to be run. */
export interface FetchJobs {
  /** @throws StoreUnavailableError */
  add(fetchId: string, job: FetchJob, scope?: Scope): Promise<void>;
  /** Takes back a job that no worker has taken. @throws StoreUnavailableError */
  remove(fetchId: string): Promise<void>;
  /** Takes back every job that no worker has taken. @throws StoreUnavailableError */
  clear(): Promise<void>;
  /** Jobs that wait, and the age of the oldest in milliseconds. @throws StoreUnavailableError */
  backlog(): Promise<{ waiting: number; oldestMs: number }>;
}

export function createFetchJobs(store: GuardedStore): FetchJobs {
  const queue = new Queue<FetchJob>(QUEUE_NAME, {
    connection: store.client,
    prefix: QUEUE_PREFIX,
    // Both, or the queue is unusable for ever when Redis comes later than this process.
    skipWaitingForReady: true,
    skipVersionCheck: true,
    // Written below: the library writes them once, at a time when there is no connection yet.
    skipMetasUpdate: true,
    defaultJobOptions: {
      attempts: 1,
      removeOnComplete: true,
      // Its error has a record in the log.
      removeOnFail: true,
    },
  });
  // Connection errors are the store's to report.
  queue.on('error', () => undefined);
  let renewed = -Infinity;
  /** Jobs that may be there and have no end yet. */
  const endless = new Set<string>();

  /** The scripts read from the books how many events to keep; without it, after a flush too, 10,000. */
  function boundEvents(): void {
    const meta = queue.toKey('meta');
    store
      .run(QUEUE_PREFIX, (redis) => redis.hset(meta, 'opts.maxLenEvents', MAX_EVENTS))
      .catch(() => undefined);
  }

  /**
   * In the background: whoever waits for the fetch does not wait for this. What Redis has not heard
   * of is told again with the next job.
   */
  function letExpire(): void {
    for (const key of endless) {
      endless.delete(key);
      expire(key).catch(() => endless.add(key));
    }
    const now = performance.now();
    if (now - renewed > RENEWAL_MS) {
      for (const list of ['wait', 'active', 'marker']) {
        expire(queue.toKey(list)).catch(() => undefined);
      }
      boundEvents();
      renewed = now;
    }
  }

  function expire(key: string): Promise<unknown> {
    return store.run(QUEUE_PREFIX, (redis) => redis.pexpire(key, LEFTOVER_MS));
  }

  store.client.on('ready', boundEvents);

  return {
    async add(fetchId, job, scope) {
      const options = { jobId: fetchId, timestamp: Math.round(store.now()) };
      await store.run(
        QUEUE_PREFIX,
        () => {
          const added = queue.add('fetch', job, options);
          endless.add(queue.toKey(fetchId));
          // Also when the caller has given up by then, or the answer was lost: the job may be there.
          added.then(letExpire, () => undefined);
          return added;
        },
        scope,
      );
    },
    async remove(fetchId) {
      await store.run(QUEUE_PREFIX, () => queue.remove(fetchId));
    },
    async clear() {
      await store.run(QUEUE_PREFIX, () => queue.drain());
    },
    async backlog() {
      const [waiting, [oldest]] = await store.run(QUEUE_PREFIX, () =>
        Promise.all([queue.getWaitingCount(), queue.getWaiting(0, 0)]),
      );
      const oldestMs = oldest ? Math.max(0, store.now() - oldest.timestamp) : 0;
      return { waiting, oldestMs };
    },
  };
}
