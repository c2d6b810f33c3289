import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tally, type Reply } from './load.js';
import { startRedis, type RedisOptions, type RedisServer } from './redis-server.js';
import { providersAt, startReplica, startWorker, type Service } from './service.js';
import { PATHS, startStandIn, type StandIn } from './stand-in.js';

/** Processes of the service around one stand-in provider. */
export interface Processes {
  readonly upstream: StandIn;
  readonly replicas: Service[];
  readonly workers: Service[];
  addReplica(env?: Record<string, string>, prefix?: string[]): Promise<Service>;
  addWorker(env?: Record<string, string>, prefix?: string[]): Promise<Service>;
  /** A URL of one replica after the other. */
  url: (path: string) => string;
}

export interface Stack extends Processes {
  readonly redis: RedisServer;
}

export interface StackOptions {
  replicas: number;
  workers: number;
  env?: Record<string, string>;
  /** Ended after all processes. */
  store?: { stop(): Promise<void> };
}

/**
 * Starts replicas and workers on a store that is already there. After the test they are ended, and
 * the test fails when one of them wrote anything but records, met something unforeseen, or did not
 * end in order; those that the test killed are not asked.
 */
export async function startProcesses(
  t: TestContext,
  { replicas: replicaCount, workers: workerCount, env = {}, store }: StackOptions,
): Promise<Processes> {
  const upstream = await startStandIn();
  const replicas: Service[] = [];
  const workers: Service[] = [];
  let turn = 0;
  const common = { RUN_WORKER: 'false', ...providersAt(upstream.url), ...env };
  t.after(async () => {
    const codes = await Promise.all([...replicas, ...workers].map((service) => service.stop()));
    await upstream.close();
    await store?.stop();
    for (const [index, service] of [...replicas, ...workers].entries()) {
      assertOrderly(service, codes[index] ?? null);
    }
  });

  const processes: Processes = {
    upstream,
    replicas,
    workers,
    async addReplica(more = {}, prefix = []) {
      const replica = await startReplica({ ...common, ...more }, prefix);
      replicas.push(replica);
      return replica;
    },
    async addWorker(more = {}, prefix = []) {
      const worker = await startWorker({ ...common, ...more }, prefix);
      workers.push(worker);
      return worker;
    },
    url(path) {
      const replica = replicas[turn++ % replicas.length];
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

/** The same around one private redis-server, once every replica is ready. */
export async function startStack(
  t: TestContext,
  options: StackOptions & { redis?: RedisOptions },
): Promise<Stack> {
  const redis = await startRedis(options.redis);
  const processes = await startProcesses(t, {
    ...options,
    env: { REDIS_URL: redis.url, ...options.env },
    store: redis,
  });
  await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
  return Object.assign(processes, { redis });
}

function assertOrderly(service: Service, code: number | null): void {
  // `null`: ended by a signal, which only a test sends.
  if (code !== null) assert.equal(code, 0, JSON.stringify(service.records.slice(-5)));
  const unforeseen = [
    'uncaught_exception',
    'unhandled_rejection',
    'redis_error',
    'response_failed',
  ];
  for (const event of unforeseen) assert.deepEqual(service.of(event), []);
  assert.deepEqual(service.noise, []);
}

/** What readiness answers. */
export async function readiness(replica: Service): Promise<number> {
  const reply = await fetch(`${replica.url}/api/v1/health/ready`);
  await reply.arrayBuffer();
  return reply.status;
}

export function becomesReady(replica: Service, limitMs = 20_000): Promise<void> {
  return eventually(async () => (await readiness(replica)) === 200, 'a ready replica', limitMs);
}

/** Waits until something holds. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await sleep(25);
  }
}

/**
 * How many of a place's fetches replicas made alone, each with its record: on a busy machine Redis
 * may get no processor for so long that it counts as away for a moment.
 */
export function fetchedAlone({ replicas }: Processes, n: number): number {
  const { latitude, longitude } = nthPlace(n);
  const key = `weather:${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
  const alone = replicas.flatMap((replica) => replica.of('fetch_uncoordinated'));
  return alone.filter((record) => record['key'] === key).length;
}

/** The upstream fetches of a place that all processes agreed on. */
export function agreedFetches(processes: Processes, n: number): number {
  return processes.upstream.count(PATHS.openMeteo, placeKey(n)) - fetchedAlone(processes, n);
}

/** One request caused the fetch that all agreed on; the others waited for it or came after it. */
export function assertOneMiss(processes: Processes, n: number, replies: Reply[]): void {
  const { '200 MISS': misses = 0, ...others } = tally(replies);
  assert.ok(misses >= 1 && misses <= 1 + fetchedAlone(processes, n), `${misses} misses`);
  const unforeseen = Object.keys(others).filter((o) => !/^200 (COALESCED|HIT)$/.test(o));
  assert.deepEqual(unforeseen, []);
}

const MUNICH = { latitude: 48.1, longitude: 11.5 };

/** The path of the n-th of many places, each with its own cache entry and its own upstream fetch. */
export function placePath(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `/api/v1/weather/coordinates?lat=${latitude}&lon=${longitude}`;
}

/** How the stand-in counts the calls for the n-th place. */
export function placeKey(n: number): string {
  const { latitude, longitude } = nthPlace(n);
  return `${latitude},${longitude}`;
}

/** Where the n-th place is. */
export function nthPlace(n: number): { latitude: number; longitude: number } {
  return {
    latitude: Number((MUNICH.latitude + Math.floor(n / 1000) / 5000).toFixed(4)),
    longitude: Number((MUNICH.longitude + (n % 1000) / 5000).toFixed(4)),
  };
}
