import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { attempt } from '../support/load.js';
import { startNginx } from '../support/nginx.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import type { LogRecord } from '../support/service.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { startPrometheus, type Prometheus } from './servers.js';

/** Durations of the parts of the run in seconds. */
const HEALTHY_S = 60;
/** Longer than WeatherAllProvidersUnavailable and WeatherReplicasUnavailable wait. */
const QUIET_S = 240;
/** With the quiet outage longer than WeatherProviderUnavailable waits, and than WeatherRedisUnavailable by itself. */
const BUSY_S = 110;
/** Seconds between two requests for a new place during the quiet outage. */
const QUIET_PAUSE_S = 45;
const REQUESTS_A_SECOND = 8;
/** Requests of one client: far above the limit of 30 per minute. */
const HAMMERING = '198.51.100.7';

export interface Observed {
  records: { component: string; instance: string; record: LogRecord }[];
  prometheus: Prometheus;
  /** Unix seconds. */
  began: number;
  outage: number;
}

/**
 * Some minutes of valid and invalid requests to two replicas, a worker, and nginx. Then an outage of all
 * providers: first with little traffic and without the worker and the second replica, then with much traffic
 * and without Redis. Then recovery.
 */
export async function observe(t: Lifetime, say: (what: string) => void): Promise<Observed> {
  const redis = await startRedis();
  const processes = await startProcesses(t, {
    replicas: 0,
    workers: 0,
    store: redis,
    // prettier-ignore
    env: { REDIS_URL: redis.url, RATE_LIMIT_PER_IP: '30', TRUST_PROXY: '2', REPLICAS_HINT: '2' },
  });
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const others = [await freePort(), await freePort()].map(String);
  const first = await processes.addReplica({ METRICS_PORT: others[0]! });
  const second = await processes.addReplica(ports);
  const worker = await processes.addWorker({ METRICS_PORT: others[1]! });
  await Promise.all([becomesReady(first), becomesReady(second)]);
  const addresses = [others[0], ports.METRICS_PORT, others[1]].map((port) => `127.0.0.1:${port}`);
  const targets = addresses.map((address, index) => ({
    component: index < 2 ? ('api' as const) : ('worker' as const),
    address,
  }));
  const nginx = await startNginx(t, { replicas: [first.url, second.url] });
  const began = Date.now() / 1000;
  const prometheus = await startPrometheus(t, targets);
  const reached = async () => (await prometheus.reached()) === 3;
  await eventually(reached, 'the first scrapes', 60_000);

  let count = 0;
  let place = 100;
  const get = (path: string, ip = `192.0.2.${++count % 250}`) =>
    attempt(nginx.url + path, { headers: { 'X-Forwarded-For': ip } });
  const newPlace = () => get(placePath(++place));
  /** The next request. `cold`: for a new place. */
  function next(n: number, cold: boolean): Promise<unknown> {
    if (n % 10 === 0) return get('/api/v1/weather?city=Seattle');
    if (n % 10 === 1) return get('/api/v1/recent-searches');
    if (n % 10 === 2) return get('/api/v1/weather?city=Paris&country=France');
    if (n % 10 === 3) return get('/api/v1/weather?city=Seattle&country=USA', HAMMERING);
    if (cold && n % 10 < 7) return newPlace();
    return get(placePath(n % 7));
  }
  async function traffic(seconds: number, cold: boolean): Promise<void> {
    const asked: Promise<unknown>[] = [];
    for (let n = 0; n < seconds * REQUESTS_A_SECOND; n += 1) {
      asked.push(next(n, cold));
      await sleep(1000 / REQUESTS_A_SECOND);
    }
    await Promise.all(asked);
  }

  say('healthy traffic');
  await traffic(HEALTHY_S, true);

  say('a quiet outage of all providers, with one replica and no worker');
  const outage = Date.now() / 1000;
  for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
    processes.upstream.behave(path, { kind: 'status', status: 503 });
  }
  await Promise.all([second.stop(), worker.stop()]);
  async function quiet(): Promise<void> {
    // Until both breakers are open, then rarely.
    for (let failure = 0; failure < 3; failure += 1) await newPlace();
    const until = Date.now() + (QUIET_S - QUIET_PAUSE_S) * 1000;
    for (const pause of [6, 11, 21]) {
      await sleep(pause * 1000);
      await newPlace();
    }
    while (Date.now() < until) {
      await sleep(QUIET_PAUSE_S * 1000);
      await newPlace();
    }
  }
  await Promise.all([traffic(QUIET_S, false), quiet()]);

  say('a busy outage of all providers, and of Redis');
  await becomesReady(await processes.addReplica(ports));
  await processes.addWorker({ METRICS_PORT: others[1]! });
  await Promise.all([
    traffic(BUSY_S, true),
    (async () => {
      await redis.kill('SIGKILL');
      await sleep((BUSY_S - 10) * 1000);
      await redis.restart();
    })(),
  ]);

  say('all is well again');
  for (const path of [PATHS.openMeteo, PATHS.metNorway]) processes.upstream.behave(path);
  await traffic(60, true);
  const healthy = async () => (await prometheus.query('ALERTS{alertstate="firing"}')).length === 0;
  const waiting = { over: false };
  const background = (async () => {
    while (!waiting.over) await traffic(1, true);
  })();
  await eventually(healthy, 'the end of all alerts', 240_000);
  waiting.over = true;
  await background;

  const recordsOf = (component: string, instance: string, records: LogRecord[]) =>
    records.map((record) => ({ component, instance, record }));
  const nginxRecords = (await nginx.records()) as LogRecord[];
  const [one, two, three] = addresses as [string, string, string];
  return {
    records: [
      ...processes.replicas.flatMap(({ records }, index) =>
        recordsOf('api', index === 0 ? one : two, records),
      ),
      ...processes.workers.flatMap(({ records }) => recordsOf('worker', three, records)),
      ...recordsOf('nginx', 'weather-nginx-1', nginxRecords),
    ],
    prometheus,
    began,
    outage,
  };
}
