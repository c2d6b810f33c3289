import type { Job, JobJson } from 'bullmq';
import { Worker } from 'bullmq/dist/cjs/classes/worker.js';
import { withTimeLimit } from '../../time-limit.js';
import type { RedisClient } from '../client/store.js';
import { QUEUE_NAME } from './jobs.js';

/**
 * A worker comes round its loop at least this often, and greets then. Doubled: replicas take it for dead
 * now and then, and fetch for themselves.
 */
export const ROUND_MS = 1000;
/**
 * What the queue's library has lost comes back after so long: a job between being taken and being over,
 * and a wait for a job that takes so much longer than it may. Doubled: jobs are taken 5 s later.
 */
const LOST_MS = 5000;

/** BullMQ's worker, of which the loop is ours: a row takes nothing before what it took has begun. */
export class JobTaker extends Worker<unknown> {
  constructor(
    client: RedisClient,
    prefix: string,
    private readonly mayTake: () => boolean,
  ) {
    super(QUEUE_NAME, undefined, {
      connection: client,
      prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      // A lost job finds out that nobody wants it.
      lockDuration: LOST_MS,
      stalledInterval: LOST_MS,
      maxStalledCount: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
  }

  /**
   * Ends a job, and takes the next one in the same step.
   * @param takesMore whether it does so, where it may
   */
  async finish(job: Job<unknown>, takesMore: boolean): Promise<Job<unknown> | undefined> {
    const token = job.token ?? '';
    const takes = takesMore && this.mayTake();
    const next: unknown = await job.moveToCompleted('', token, takes);
    const [data, id] = Array.isArray(next) ? (next as [JobJson?, string?]) : [];
    // Told of no job, the library takes the queue for empty, and waits for a sign of a job.
    return takes ? this.nextJobFromJobData(data, id, token) : undefined;
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<unknown>> {
    const nothing = undefined as unknown as Job<unknown>;
    return this.mayTake() ? super.moveToActive(token, name) : nothing;
  }

  /** Also after an error, when the library would block for 10 s. */
  protected override getBlockTimeout(): number {
    return ROUND_MS / 1000;
  }

  /**
   * In a cluster whose connections were cut, the library's wait for the next job can last for ever:
   * it waits without a limit for the end of a connection that is gone.
   */
  protected override createBackend(): void {
    super.createBackend();
    const { backend } = this;
    const wait = backend.waitForJob.bind(backend);
    const lost = new Error('The wait for a job was lost');
    backend.waitForJob = async (seconds) => {
      const limitMs = seconds * 1000 + LOST_MS;
      try {
        return await withTimeLimit({ limitMs, late: () => lost }, () => wait(seconds));
      } catch (error) {
        if (error !== lost) throw error;
        return null;
      }
    };
    // The library stops listening to its connection before it ends: a refusal by Redis may still come.
    const ignored = (): void => undefined;
    void backend.blockingClient?.then((blocking) => blocking.on('error', ignored), ignored);
  }

  /** Data that is not JSON would be taken again and again, and never reach anybody. */
  protected override createJob(json: JobJson, id: string): Job<unknown> {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }
}
