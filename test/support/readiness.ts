import { setTimeout as sleep } from 'node:timers/promises';
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

/** Polls the readiness probe until it is stopped. @returns each status */
export function watchReadiness(replicas: Service[]): { stop(): Promise<number[]> } {
  const seen = new Set<number>();
  let stopping = false;
  async function watch(replica: Service): Promise<void> {
    while (!stopping) {
      seen.add(await readiness(replica));
      await sleep(50);
    }
  }
  const watching = replicas.map(watch);
  return {
    async stop() {
      stopping = true;
      await Promise.all(watching);
      return [...seen];
    },
  };
}

/** Whether Redis is available to a process, by its last record about that. */
export function hasRecovered({ records }: Service): boolean {
  const last = records.findLast(
    ({ event }) => event === 'redis_unavailable' || event === 'redis_recovered',
  );
  return last?.event !== 'redis_unavailable';
}
