import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import { isObject } from '../../base/is-object.js';
import { keyOf, type Kind, type Kinds } from '../../weather/kind.js';
import { isTraceId } from '../../weather/trace.js';
import { readScript, replyOf } from '../client/script.js';
import { isDuration, readUntrusted } from '../values.js';
import { isName } from '../entry-format.js';
import { HEARTBEAT_TTL_MS } from '../client/timing.js';
import type { FetchingOptions } from './index.js';

export const QUEUE_NAME = 'fetches';
/** BullMQ sends commands at once, without INFO: an access list may forbid it. */
export const QUEUE_OPTIONS = { skipWaitingForReady: true, skipVersionCheck: true };

/** A fetch to be run, as the data of a BullMQ job describes it. */
export interface FetchJob<Request, Value = unknown> {
  kind: Kind<Request, Value>;
  request: Request;
  fetchId: string;
  /** If an entry is fresh for longer than this many milliseconds, the job does nothing. */
  freshForMs: number;
  /** The trace ID of the request that added the job. */
  traceId?: string | undefined;
}

/** Reads the untrusted data of a job. Returns undefined if it is invalid. */
export function readJob(kinds: Kinds, data: unknown): FetchJob<unknown> | undefined {
  return readUntrusted(() => jobOf(kinds, data));
}

function jobOf(kinds: Kinds, data: unknown): FetchJob<unknown> | undefined {
  const { kind: name, request, fetchId, freshForMs, traceId } = isObject(data) ? data : {};
  const kind = kinds.get(String(name));
  if (!kind?.isRequest(request) || !isName(fetchId) || !isDuration(freshForMs)) return undefined;
  return { kind, request, fetchId, freshForMs, traceId: isTraceId(traceId) ? traceId : undefined };
}

export type JobQueue = ReturnType<typeof createJobQueue>;

/** The queue of fetch jobs. The ID of a job is derived from its key, so BullMQ keeps one job for each key (single-flight). */
export function createJobQueue({ redis, names }: Pick<FetchingOptions, 'redis' | 'names'>) {
  const isHeartbeat = replyOf('number', 'number');
  const heartbeatScript = redis.script('weatherHeartbeat', readScript('heartbeat'), isHeartbeat);
  const isAlive = (ttlMs: number) => ttlMs > 0 && ttlMs <= HEARTBEAT_TTL_MS;
  let opened: Queue | undefined;
  /** BullMQ writes its settings once, when a queue is opened. */
  function open(): Queue {
    opened ??= new Queue(QUEUE_NAME, {
      connection: redis.client,
      prefix: names.queue,
      ...QUEUE_OPTIONS,
      // No process reads events. Each takes 200 bytes of Redis.
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    }).on('error', redis.report);
    return opened;
  }
  redis.client.once('ready', open);

  return {
    /**
     * Adds a job, unless there is one for its key.
     * @param timestamp the clock of the Redis node of the key, so that every worker sees the same age
     * @throws StoreUnavailableError
     */
    async add({ kind, request, ...rest }: FetchJob<unknown>, timestamp: number): Promise<void> {
      const jobId = jobIdOf(keyOf(kind, request));
      const data = { kind: kind.name, request, ...rest };
      const add = () => open().add('fetch', data, { jobId, timestamp });
      await redis.command(names.queue, add);
    },
    /** Removes the job of a key. Returns false if a worker runs it. @throws StoreUnavailableError */
    async remove(key: string): Promise<boolean> {
      const removed = await redis.command(names.queue, () => open().remove(jobIdOf(key)));
      return removed === 1;
    },
    /** Whether a worker takes jobs, by its heartbeat. @throws StoreUnavailableError */
    async hasWorker(): Promise<boolean> {
      const [ttlMs] = await heartbeatScript([names.heartbeat], []);
      return isAlive(ttlMs);
    },
    /**
     * Returns the number of waiting jobs, and the age of the oldest job in milliseconds. Without a worker, the age
     * is 0: replicas run the fetches, and a job that the last worker did not start may wait forever.
     * @throws StoreUnavailableError
     */
    backlog: async (): Promise<{ waiting: number; oldestMs: number }> => {
      const [waiting, [oldest]] = await redis.command(names.queue, () =>
        Promise.all([open().getWaitingCount(), open().getWaiting(0, 0)]),
      );
      const [ttlMs, redisMs] = await heartbeatScript([names.heartbeat], []);
      if (!oldest || !isAlive(ttlMs)) return { waiting, oldestMs: 0 };
      return { waiting, oldestMs: Math.max(0, redisMs - oldest.timestamp) };
    },
  };
}

/** BullMQ permits neither `:` nor an integer. */
function jobIdOf(key: string): string {
  return `fetch-${createHash('sha1').update(key).digest('hex')}`;
}
