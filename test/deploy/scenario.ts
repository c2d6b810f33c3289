import { ask } from '../support/http-client.js';
import type { Lifetime } from '../support/lifetime.js';
import { attempt } from '../support/load.js';
import { leaveEarly, startNginx } from '../support/nginx.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import type { LogRecord, Service } from '../support/service.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** A record, and which part of the deployment wrote it. */
export interface Shipped {
  component: 'api' | 'worker' | 'nginx';
  record: LogRecord;
}

export interface Observed {
  /** What the processes wrote, oldest first. */
  records: Shipped[];
  /** What they told Prometheus in the end, before they ended. */
  metrics: string;
}

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Far more than anything here takes: a worker's absence to show, a breaker to close. */
const LIMIT_MS = 60_000;

/**
 * A day in the life of the deployment in a quarter of a minute: traffic good and bad, a worker
 * that dies, then another, providers away and back, Redis away and back, and the end of it all.
 */
export async function observe(t: Lifetime): Promise<Observed> {
  const redis = await startRedis();
  const metricsPorts = [await freePort(), await freePort()];
  const processes = await startProcesses(t, {
    replicas: 0,
    workers: 0,
    store: redis,
    env: {
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_IP: '12',
      RATE_LIMIT_TOTAL: '60',
      // The default holds towards the public hosts only.
      PROVIDER_BUDGETS: 'open-meteo=600/60,5000/3600;met-norway=20/1',
    },
  });
  const api = await processes.addReplica({
    TRUST_PROXY: '2',
    METRICS_PORT: String(metricsPorts[0]),
  });
  await becomesReady(api);
  const nginx = await startNginx({ replicas: [api.url] });
  t.after(() => nginx.stop());
  let client = 0;
  const get = (path: string, ip = `192.0.2.${++client}`) =>
    attempt(nginx.url + path, { headers: { 'X-Forwarded-For': ip, traceparent: TRACEPARENT } });
  const seattle = '/api/v1/weather?city=Seattle&country=USA';

  // Without a worker the replica fetches itself.
  await get(placePath(client));
  await get(seattle);
  const worker = await processes.addWorker({ METRICS_PORT: String(metricsPorts[1]) });
  // The replica counts on it from its greeting on.
  await untilRecorded([worker], 'fetch', () => get(placePath(client)));
  await get('/api/v1/weather/coordinates?lat=48.1&lon=11.5');
  await get('/api/v1/weather?city=Seattle7&country=USA');
  await get('/api/v1/weather?city=Seattle');
  for (let n = 0; n < 14; n += 1) await get(seattle, '198.51.100.1');

  processes.upstream.behaveAll({ kind: 'hang' });
  const calls = processes.upstream.count(PATHS.openMeteo);
  await leaveEarly(
    nginx,
    placePath(++client),
    () => processes.upstream.count(PATHS.openMeteo) > calls,
  );
  processes.upstream.behaveAll({ kind: 'status', status: 500 });
  // On a busy machine the replica fetches some, too: its breaker may open, and never be needed again.
  await untilRecorded([worker], 'breaker_open', () => get(placePath(client)));
  processes.upstream.behaveAll();
  await untilRecorded([worker], 'breaker_closed', () => get(placePath(client)));

  await redis.kill('SIGKILL');
  await api.waitFor('redis_unavailable');
  await redis.restart();
  await api.waitFor('redis_recovered');
  // More than the limit on all.
  for (let n = 0; n < 60; n += 1) await get(seattle);

  const texts = await Promise.all(
    metricsPorts.map(async (port) => (await ask(`http://127.0.0.1:${port}/metrics`)).text),
  );
  await api.stop();
  await worker.stop();
  await get(seattle);

  const shipped = (component: Shipped['component'], records: LogRecord[]) =>
    records.map((record) => ({ component, record }));
  const records = [
    ...shipped('api', api.records),
    ...shipped('worker', worker.records),
    ...shipped('nginx', (await nginx.records()) as LogRecord[]),
  ].sort(byTime);
  return { records, metrics: texts.join('\n') };
}

export function byTime(a: Shipped, b: Shipped): number {
  return Date.parse(a.record.timestamp) - Date.parse(b.record.timestamp);
}

async function untilRecorded(
  services: Service[],
  event: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (services.every((service) => service.of(event).length === 0)) {
    if (Date.now() > deadline) throw new Error(`no record ${event}`);
    await act();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
