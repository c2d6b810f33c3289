import { eventually } from './eventually.js';
import { ask } from './http-client.js';
import type { Service } from './service.js';

/** The status of the readiness probe of a replica. */
export async function readiness({ url }: { url: string }): Promise<number> {
  return (await ask(`${url}/api/v1/health/ready`)).status;
}

/** Waits until a replica is ready. */
export function becomesReady(replica: { url: string }, limitMs?: number): Promise<void> {
  return eventually(async () => (await readiness(replica)) === 200, 'a ready replica', limitMs);
}

/** Whether Redis is available to a process, by its last record about that. */
export function hasRecovered({ records }: Service): boolean {
  const last = records.findLast(
    ({ event }) => event === 'redis_unavailable' || event === 'redis_recovered',
  );
  return last?.event !== 'redis_unavailable';
}
