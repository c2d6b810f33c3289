import { Queue } from 'bullmq/dist/cjs/classes/queue.js';
import type { FetchRequest } from '../../weather/request.js';
import { readTraceParent, type TraceParent } from '../../weather/trace.js';
import type { RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { isObject, isPoint } from '../values.js';

export const QUEUE_NAME = 'fetches';

/** Nobody reads the queue's events: each takes 200 bytes of Redis. */
const MAX_EVENTS = 100;

/** What a job tells a worker. Its id is the id of the fetch. */
export interface FetchJob {
  request: FetchRequest;
  /** An entry that is fresh for longer than this needs no fetch, in milliseconds. */
  freshForMs: number;
  /** Where the request that began the fetch stands in its trace. */
  parent?: TraceParent | undefined;
}

/** What Redis says is input: the job that a value is; undefined when it is none. */
export function readJob(value: unknown): FetchJob | undefined {
  if (!isObject(value) || !isRequest(value['request'])) return undefined;
  const { request, freshForMs, parent } = value;
  return {
    request,
    freshForMs: typeof freshForMs === 'number' ? freshForMs : 0,
    parent: isObject(parent) ? readTraceParent(parent) : undefined,
  };
}

function isRequest(value: unknown): value is FetchRequest {
  if (!isObject(value)) return false;
  if (value['kind'] === 'weather') return isPoint(value['point']);
  const texts = [value['city'], value['countryCode'], value['name']];
  return value['kind'] === 'geocode' && texts.every((text) => typeof text === 'string');
}

export type FetchJobs = ReturnType<typeof createFetchJobs>;

/**
 * The jobs by which workers learn of fetches that are queued. Redis's clock tells their age to every
 * process alike. Every method throws StoreUnavailableError.
 */
export function createFetchJobs(store: RedisStore, names: Names) {
  let opened: Queue<FetchJob> | undefined;

  /** The library writes its settings when it is opened, and needs a connection then. */
  function open(): Queue<FetchJob> {
    if (opened) return opened;
    opened = new Queue<FetchJob>(QUEUE_NAME, {
      connection: store.client,
      prefix: names.queue,
      // Both, or the queue is unusable for ever when Redis comes later than this process.
      skipWaitingForReady: true,
      skipVersionCheck: true,
      streams: { events: { maxLen: MAX_EVENTS } },
      defaultJobOptions: {
        attempts: 1,
        removeOnComplete: true,
        // Its error has a record in the log.
        removeOnFail: true,
      },
    });
    // Connection errors are the store's to report.
    opened.on('error', () => undefined);
    return opened;
  }

  store.client.once('ready', open);

  const run = <T>(work: (queue: Queue<FetchJob>) => Promise<T>) =>
    store.run(names.queue, () => work(open()));

  return {
    async add(fetchId: string, job: FetchJob): Promise<void> {
      const options = { jobId: fetchId, timestamp: Math.round(store.now()) };
      await run((queue) => queue.add('fetch', job, options));
    },
    /** Removes the job of a fetch, unless a worker has taken it. */
    remove: (fetchId: string) => run((queue) => queue.remove(fetchId)),
    /** Removes every job that no worker has taken. */
    drain: () => run((queue) => queue.drain()),
    /** Jobs that wait, and the age of the oldest in milliseconds. */
    async backlog(): Promise<{ waiting: number; oldestMs: number }> {
      const [waiting, [oldest]] = await run((queue) =>
        Promise.all([queue.getWaitingCount(), queue.getWaiting(0, 0)]),
      );
      const oldestMs = oldest ? Math.max(0, store.now() - oldest.timestamp) : 0;
      return { waiting, oldestMs };
    },
  };
}
