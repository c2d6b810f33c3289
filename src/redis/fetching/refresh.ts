import { randomUUID } from 'node:crypto';
import type { Cached } from '../../weather/cache.js';
import { DEMAND_THRESHOLD, type FetchQueue } from '../../weather/queue.js';
import { requestKey, type FetchRequest } from '../../weather/request.js';
import type { Clock } from '../../weather/types.js';
import type { Demand } from './demand.js';
import type { FetchJobs } from './jobs.js';
import type { FetchRecords } from './record.js';
import type { RunFetch } from './run.js';

/** Has an entry in demand fetched before it expires, once for all processes. */
export function createRefresh(options: {
  records: FetchRecords;
  jobs: FetchJobs;
  runFetch: RunFetch;
  demand: Demand;
  /** Whether a worker is to run the fetch. */
  useWorkers: () => boolean;
  newFetchId: () => string;
  refreshAheadMs: number;
  clock: Clock;
  /** Aborts when the process ends. */
  signal: AbortSignal;
}): FetchQueue['noteDemand'] {
  const { records, jobs, runFetch, demand, useWorkers, newFetchId, clock, signal } = options;
  const freshForMs = options.refreshAheadMs;
  /** Entries whose refresh has begun: nobody need count any more who asks for them. */
  const refreshed = new WeakSet<Cached>();

  async function refresh(request: FetchRequest, entry: Cached): Promise<void> {
    const key = requestKey(request);
    const requests = await demand(key, entry.freshUntil - clock.monotonic());
    if (requests >= DEMAND_THRESHOLD) refreshed.add(entry);
    if (requests !== DEMAND_THRESHOLD) return;
    const token = randomUUID();
    const mode = useWorkers() ? 'queue' : 'run';
    // Nobody waits for it: it belongs to no trace.
    const question = { mode, fetchId: newFetchId(), token, freshForMs } as const;
    const { state, fetchId, traceId } = await records.ask(key, question);
    if (state === 'new') await jobs.add(fetchId, { request, freshForMs });
    if (state === 'run') await runFetch(request, { fetchId, traceId, token }, signal);
  }

  return (request, entry) => {
    if (refreshed.has(entry)) return;
    // In the background: when this fails, the entry is fetched once it has expired.
    refresh(request, entry).catch(() => undefined);
  };
}
