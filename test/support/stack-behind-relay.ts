import assert from 'node:assert/strict';
import { anyClient } from './http-client.js';
import type { Lifetime } from './lifetime.js';
import { burst } from './load.js';
import { placePath } from './places.js';
import { becomesReady } from './readiness.js';
import { startRedis } from './redis-server.js';
import { startRelay, type Relay } from './relay.js';
import { startProcesses, type Stack } from './stack.js';

/** Starts replicas with a relay in front of their Redis, waits until they are ready, and caches the first places. */
export async function startBehindRelay(
  t: Lifetime,
  options: { replicas: number; env: Record<string, string>; places: number },
): Promise<Stack & { relay: Relay }> {
  const redis = await startRedis();
  const relay = await startRelay(t, redis.port);
  const processes = await startProcesses(t, {
    replicas: options.replicas,
    workers: 0,
    env: { REDIS_URL: `redis://127.0.0.1:${relay.port}`, ...options.env },
    store: redis,
  });
  for (const replica of processes.replicas) {
    await becomesReady(replica);
    const urls = Array.from({ length: options.places }, (_, n) => replica.url + placePath(n));
    const headers = anyClient(16_000_000);
    for (const { status } of await burst(urls, { headers })) assert.equal(status, 200);
  }
  return Object.assign(processes, { redis, relay });
}
