import { residentBytes } from '../../test/support/processes.js';
import { memoryOf } from './memory.js';
import { browserHeaders, getRequest, pointPaths, SEATTLE } from './requests.js';
import { interleave, type GroupOptions } from './rounds.js';
import { sendRequests } from './send-requests.js';
import { newSession, startKoaWithRedis, startMemoryReplica, startStack } from './servers.js';
import { median } from './statistics.js';

/** Requests after which the duration of a request is measured. */
const WARM_UP = 5000;
/** Requests whose durations are measured, one after the other on each of a few connections. */
const MEASURED = 5000;
const CONNECTIONS = 8;
const SINGLE = 300;
const STARTS = 5;

/** The rows of the table: what, this service, and the least that Koa with Redis does. */
export async function absoluteFigures(
  options: Omit<GroupOptions, 'otherDist'>,
): Promise<[what: string, service: string, koa: string][]> {
  const { dist, crowd, onEnd } = options;
  const memory = await startMemoryReplica(dist);
  onEnd(() => memory.stop());
  const stack = await startStack(dist);
  onEnd(() => stack.stop());
  const koa = await startKoaWithRedis();
  onEnd(() => koa.stop());
  const { replica, redis } = stack;
  const koaAtRest = residentBytes(koa.server.pid).now / 1e6;
  const hit = getRequest(SEATTLE, browserHeaders(await newSession(replica)));
  const memoryHit = getRequest(SEATTLE, browserHeaders(await newSession(memory)));

  const samples = await interleave(
    [
      { name: 'memory', server: memory, requests: [memoryHit] },
      { name: 'redis', server: replica, redis, requests: [hit] },
      { name: 'koa', server: koa.server, redis: koa.redis, requests: [hit] },
    ],
    options,
  );
  const rate = (name: string) =>
    Math.round(1e6 / median(samples[name]!.map(({ cpu }) => cpu))).toLocaleString('en-US');

  const durations = async (port: number, requests: string[], connections: number) => {
    const responses = await sendRequests(port, requests, { connections });
    return responses.map(({ ms }) => ms).sort((a, b) => a - b);
  };
  const quantiles = async (port: number) => {
    await durations(port, Array<string>(WARM_UP).fill(hit), CONNECTIONS);
    const all = await durations(port, Array<string>(MEASURED).fill(hit), CONNECTIONS);
    const at = (share: number) => all[Math.floor(all.length * share)]!.toFixed(1);
    return `${at(0.5)} and ${at(0.99)} ms`;
  };
  const latency = [await quantiles(replica.port), await quantiles(koa.server.port)];

  const headers = browserHeaders(await newSession(replica));
  const misses = pointPaths(SINGLE + WARM_UP).map((path) => getRequest(path, headers));
  await durations(replica.port, misses.splice(0, WARM_UP), CONNECTIONS);
  const missMs = median(await durations(replica.port, misses, 1));
  const hitMs = median(await durations(replica.port, Array<string>(SINGLE).fill(hit), 1));

  const { start, peak } = await memoryOf(dist, crowd);
  const starts = async (begin: () => Promise<{ readyAfterMs: number; stop(): Promise<void> }>) => {
    const seconds: number[] = [];
    for (let round = 0; round < STARTS; round += 1) {
      const server = await begin();
      await server.stop();
      seconds.push(server.readyAfterMs / 1000);
    }
    return `${median(seconds).toFixed(2)} s`;
  };
  const startTimes = [
    await starts(() => startMemoryReplica(dist)),
    await starts(async () => {
      const started = await startKoaWithRedis();
      return { readyAfterMs: started.server.readyAfterMs, stop: () => started.stop() };
    }),
  ];
  return [
    ['hits per second and core, in memory', rate('memory'), ''],
    ['hits per second and core, with Redis', rate('redis'), rate('koa')],
    [`p50 and p99 of a hit with Redis, ${CONNECTIONS} connections`, latency[0]!, latency[1]!],
    ['time that a miss adds, provider responds at once', `${(missMs - hitMs).toFixed(1)} ms`, ''],
    ['memory at rest', `${start.toFixed()} MB`, `${koaAtRest.toFixed()} MB`],
    [
      `highest memory, crowd of ${crowd.toLocaleString('en-US')} addresses and places`,
      `${peak.toFixed()} MB`,
      '',
    ],
    ['start until ready, in memory', startTimes[0]!, startTimes[1]!],
  ];
}
