import assert from 'node:assert/strict';
import type { Lifetime } from './lifetime.js';
import { becomesReady } from './readiness.js';
import { startRedis } from './redis-server.js';
import { providersAt, startReplica, startWorker, type Service, type Start } from './service.js';
import { startStubProvider } from './stub-provider.js';

/** Processes of the service that use one stub provider. */
export type Processes = Awaited<ReturnType<typeof startProcesses>>;
export type Stack = Awaited<ReturnType<typeof startStack>>;

type Env = Record<string, string>;

export interface StackOptions {
  replicas: number;
  workers: number;
  env?: Env;
  /** Stopped after all processes. */
  store?: { stop(): Promise<void> };
  /** Error replies of Redis are expected, such as those for missing permissions. */
  redisRefuses?: boolean;
}

/**
 * Starts replicas and workers that use an existing store, and stops them after the test. The test
 * fails if a process wrote anything but log records, logged an unexpected error, or did not exit
 * with code 0. Processes that the test killed may have any exit code.
 */
export async function startProcesses(
  t: Lifetime,
  { replicas: replicaCount, workers: workerCount, env = {}, store, redisRefuses }: StackOptions,
) {
  const upstream = await startStubProvider();
  const replicas: Service[] = [];
  const workers: Service[] = [];
  let next = 0;
  // Tests name the workers that run the fetches. Without any, each replica runs one, as by default.
  const common = { RUN_WORKER: String(workerCount === 0), ...providersAt(upstream.url), ...env };
  t.after(async () => {
    const codes = await Promise.all([...replicas, ...workers].map((service) => service.stop()));
    await upstream.close();
    await store?.stop();
    for (const [index, service] of [...replicas, ...workers].entries()) {
      assertOrderly(service, codes[index] ?? null, redisRefuses ? [] : ['redis_error']);
    }
  });

  const processes = {
    upstream,
    replicas,
    workers,
    async addReplica(more: Env = {}, start: Start = {}) {
      const replica = await startReplica({ ...common, ...more }, start);
      replicas.push(replica);
      return replica;
    },
    async addWorker(more: Env = {}, start: Start = {}) {
      const worker = await startWorker({ ...common, ...more }, start);
      workers.push(worker);
      return worker;
    },
    /** A URL of the next replica: each replica in turn. */
    url: (path: string) => {
      const replica = replicas[next++ % replicas.length];
      if (!replica) throw new Error('no replica runs');
      return replica.url + path;
    },
  };
  const started = await Promise.allSettled([
    ...Array.from({ length: replicaCount }, () => processes.addReplica()),
    ...Array.from({ length: workerCount }, () => processes.addWorker()),
  ]);
  for (const result of started) if (result.status === 'rejected') throw result.reason;
  return processes;
}

/** Starts replicas and workers with their own redis-server, and waits until all are ready. */
export async function startStack(t: Lifetime, options: StackOptions) {
  const redis = await startRedis();
  const processes = await startProcesses(t, {
    ...options,
    env: { REDIS_URL: redis.url, ...options.env },
    store: redis,
  });
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  return Object.assign(processes, { redis });
}

function assertOrderly(service: Service, code: number | null, more: string[]): void {
  // `null`: a signal ended the process, and only tests send signals.
  if (code !== null) assert.equal(code, 0, JSON.stringify(service.records.slice(-5)));
  const unexpected = ['uncaught_exception', 'unhandled_rejection', 'response_failed', ...more];
  for (const event of unexpected) assert.deepEqual(service.of(event), []);
  assert.deepEqual(service.noise, []);
}
