import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Kinds } from '../../weather/fetch.js';
import { keyOf, type Kind } from '../../weather/kinds/kind.js';
import { isTraceId } from '../../weather/request-scope.js';
import { readScript, replyOf } from '../client/script.js';
import { JOB_LOCK_MS } from '../client/timing.js';
import { isDuration, isName, readUntrusted } from '../untrusted.js';
import type { FetchingOptions } from './fetching-options.js';

export const QUEUE_NAME = 'fetches';
/** BullMQ sends commands at once, without INFO: an access list may forbid it. */
export const QUEUE_OPTIONS = { skipWaitingForReady: true, skipVersionCheck: true };

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
  return readUntrusted(() => {
    const { kind: name, request, fetchId, freshForMs, traceId } = data as Record<string, unknown>;
    const kind = kinds.get(String(name))?.kind;
    if (!kind?.isRequest(request) || !isName(fetchId) || !isDuration(freshForMs)) return undefined;
    return { kind, request, fetchId, freshForMs, ...(isTraceId(traceId) && { traceId }) };
  });
}

export type JobQueue = ReturnType<typeof createJobQueue>;

/** Fetch jobs. Their IDs derive from keys, so BullMQ keeps one for each key (single-flight). */
export function createJobQueue({ redis, names }: Pick<FetchingOptions, 'redis' | 'names'>) {
  const queue = `${names.queue}:${QUEUE_NAME}`;
  const takeScript = redis.script('weatherJobTake', readScript('job-take'), replyOf('string'));
  const endScript = redis.script('weatherJobEnd', readScript('typed', 'job-end'), replyOf());
  const lockOf = (id: string) => `${queue}:${id}:lock`;
  let opened: Queue | undefined;
  /** Opens the queue while Redis is available: BullMQ then writes its settings. */
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

  return {
    /**
     * Adds a job, unless there is one for its key.
     * @param timestamp the clock of the key's Redis node, so that every worker sees the same age
     * @throws StoreUnavailableError
     */
    async add({ kind, request, ...rest }: FetchJob<unknown>, timestamp: number): Promise<void> {
      const jobId = jobIdOf(keyOf(kind, request));
      const data = { kind: kind.name, request, ...rest };
      const add = () => open().add('fetch', data, { jobId, timestamp });
      await redis.command(add);
    },
    /** Returns whether a key has a job, waiting or running. @throws StoreUnavailableError */
    async exists(key: string): Promise<boolean> {
      const found = await redis.command(() => redis.client.exists(`${queue}:${jobIdOf(key)}`));
      return found > 0;
    },
    /**
     * Takes over the job of a key that no worker runs, so that this process runs its fetch.
     * @param token identifies the fetch
     * @returns what the job was, `waiting` or `stalled`; `running`: a worker or another process has
     *   it; `missing`: there is none
     * @throws StoreUnavailableError
     */
    async take(key: string, token: string): Promise<string> {
      const id = jobIdOf(key);
      const lists = ['wait', 'paused', 'active'].map((name) => `${queue}:${name}`);
      const keys = [`${queue}:${id}`, lockOf(id), ...lists];
      const [state] = await takeScript(keys, [id, token, JOB_LOCK_MS]);
      return state;
    },
    /** Ends a job that this process has taken over. @throws StoreUnavailableError */
    async end(key: string, token: string): Promise<void> {
      const id = jobIdOf(key);
      await endScript([`${queue}:${id}`, lockOf(id), `${queue}:active`], [id, token]);
    },
    /** Renews the lock of a job that this process has taken over. @throws StoreUnavailableError */
    async keepLock(key: string): Promise<void> {
      // GT: a worker that took a later job of the key may have a longer lock.
      await redis.command(() => redis.client.pexpire(lockOf(jobIdOf(key)), JOB_LOCK_MS, 'GT'));
    },
    /** The number of waiting jobs, and the age of the oldest one. @throws StoreUnavailableError */
    backlog: async (): Promise<{ waiting: number; oldestMs: number }> => {
      const [waiting, [oldest], time] = await redis.command(() =>
        Promise.all([open().getWaitingCount(), open().getWaiting(0, 0), redis.client.time()]),
      );
      const [seconds, micros] = time.map(Number);
      const redisMs = (seconds ?? 0) * 1000 + (micros ?? 0) / 1000;
      const oldestMs = oldest ? Math.max(0, redisMs - oldest.timestamp) : 0;
      return { waiting, oldestMs };
    },
  };
}

/** BullMQ permits neither `:` nor an integer. */
function jobIdOf(key: string): string {
  return `fetch-${createHash('sha1').update(key).digest('hex')}`;
}
