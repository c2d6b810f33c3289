import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { burst } from './load.js';
import { placePath } from './places.js';
import { becomesReady, readiness } from './readiness.js';
import { startRedis } from './redis-server.js';
import { startRelay, type Relay } from './relay.js';
import type { LogRecord, Service } from './service.js';
import { startProcesses, type Processes } from './stack.js';

/** Each request of its own client, so that the limits refuse none. */
export const anyClient = (count: number): Record<string, string> => ({
  'X-Forwarded-For': `10.${Math.floor(count / 65_536) % 250}.${Math.floor(count / 256) % 256}.${count % 256}`,
});

/** Replicas with a relay between them and their Redis, ready, with the first places in memory. */
export async function startBehindRelay(
  t: TestContext,
  options: { replicas: number; workers?: number; env: Record<string, string>; places: number },
): Promise<Processes & { relay: Relay }> {
  const redis = await startRedis();
  const relay = await startRelay(t, redis.port);
  const processes = await startProcesses(t, {
    replicas: options.replicas,
    workers: options.workers ?? 0,
    env: { REDIS_URL: `redis://127.0.0.1:${relay.port}`, ...options.env },
    store: redis,
  });
  for (const replica of processes.replicas) {
    await becomesReady(replica);
    const urls = Array.from({ length: options.places }, (_, n) => replica.url + placePath(n));
    const headers = anyClient(16_000_000);
    for (const { status } of await burst(urls, { headers })) assert.equal(status, 200);
  }
  return Object.assign(processes, { relay });
}

/** The records of a replica that tell a change of the state of Redis. */
export const changesOf = (replica: Service): LogRecord[] => [
  ...replica.of('redis_degraded'),
  ...replica.of('redis_recovered'),
];

/** Asks for readiness again and again until it is stopped; tells each status that was answered. */
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
