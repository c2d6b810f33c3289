import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import { isObject } from '../../is-object.js';
import { keyOf, type Kind, type Kinds } from '../../weather/kind.js';
import { isTraceId } from '../../weather/trace.js';
import { isDuration } from '../values.js';
import type { Parts } from './index.js';

export const QUEUE_NAME = 'fetches';
/** TTL of the heartbeat. Longer: more cold keys wait for a worker that has died. Shorter: a busy worker seems dead. */
export const HEARTBEAT_TTL_MS = 2500;

/** What a worker needs for a fetch. */
export interface FetchJob<Request, Value = unknown> {
  kind: Kind<Request, Value>;
  request: Request;
  /** An entry that is fresh for longer than this many milliseconds needs no fetch. */
  freshForMs: number;
  traceId?: string | undefined;
}

/** Reads the untrusted data of a job. Returns undefined if it is invalid. */
export function readJob(kinds: Kinds, data: unknown): FetchJob<unknown> | undefined {
  const { kind: name, request, freshForMs, traceId } = isObject(data) ? data : {};
  const kind = kinds.get(String(name));
  if (!kind?.isRequest(request) || !isDuration(freshForMs)) return undefined;
  return { kind, request, freshForMs, traceId: isTraceId(traceId) ? traceId : undefined };
}

export type FetchJobs = ReturnType<typeof createFetchJobs>;

/** The queue of fetch jobs, with at most one job for each key. */
export function createFetchJobs({ store, names }: Pick<Parts, 'store' | 'names'>) {
  const connection = store.client;
  let opened: Queue | undefined;
  /** BullMQ writes its settings once, when a queue is opened. */
  const open = () =>
    (opened ??= new Queue(QUEUE_NAME, {
      ...{ connection, prefix: names.queue, skipWaitingForReady: true, skipVersionCheck: true },
      // Nobody reads events. Each takes 200 bytes of Redis.
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      // The store reports connection errors.
    }).on('error', () => undefined));
  connection.once('ready', open);

  return {
    /** Adds a job, unless there is one for its key. @throws StoreUnavailableError */
    async add<Request>({ kind, request, ...rest }: FetchJob<Request>): Promise<void> {
      // BullMQ permits neither `:` nor an integer.
      const jobId = `fetch-${createHash('sha1').update(keyOf(kind, request)).digest('hex')}`;
      // By the clock of Redis, every worker sees the same age.
      const options = { jobId, timestamp: Math.round(store.now()) };
      const data = { kind: kind.name, request, ...rest };
      await store.run(names.queue, () => open().add('fetch', data, options));
    },
    /** Whether a worker takes jobs. False if Redis is unavailable. */
    async hasWorker(): Promise<boolean> {
      const reading = store.run(names.heartbeat, (client) => client.pttl(names.heartbeat));
      const ttlMs = await reading.catch(() => 0);
      return ttlMs > 0 && ttlMs <= HEARTBEAT_TTL_MS;
    },
    /** Returns the number of waiting jobs, and the age of the oldest one in ms. @throws StoreUnavailableError */
    async backlog(): Promise<{ waiting: number; oldestMs: number }> {
      const [waiting, [oldest]] = await store.run(names.queue, () =>
        Promise.all([open().getWaitingCount(), open().getWaiting(0, 0)]),
      );
      const oldestMs = oldest ? Math.max(0, store.now() - oldest.timestamp) : 0;
      return { waiting, oldestMs };
    },
  };
}
