import { startNginx, type Nginx } from '../support/nginx.js';
import type { Lifetime } from '../support/lifetime.js';
import type { Reply } from '../support/load.js';
import { becomesReady } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import type { Service } from '../support/service.js';
import { startProcesses, type Processes } from '../support/stack.js';
import { environmentHere, readCompose } from './compose-file.js';

export const ORIGIN = 'https://app.example';
export const CORS = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-max-age': '3600',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, X-Request-ID, X-Cache, Age, ETag, X-Weather-Provider, X-Weather-Attribution, X-Weather-Code, X-Weather-Is-Day',
};
export const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';

export interface Deployment {
  nginx: Nginx;
  processes: Processes;
  /** The replicas that run, in the order of their ports. */
  replicas: Service[];
  /** Starts a replica in the place of one that has ended. */
  replace(index: number): Promise<void>;
}

/** docker-compose.yml on this machine: its Redis, replicas, worker and nginx, by its own files. */
export async function deploy(t: Lifetime, variables: Record<string, string>): Promise<Deployment> {
  const file = readCompose({ CORS_ORIGINS: ORIGIN, ...variables });
  const { command = [], environment } = file.services['redis'] ?? {};
  const settings = command.slice(command.indexOf('redis-server') + 1);
  const password = environment?.['REDISCLI_AUTH'] ?? '';
  const redis = await startRedis({ args: [...settings, '--requirepass', password] });
  const processes = await startProcesses(t, { replicas: 0, workers: 0, store: redis });
  const api = environmentHere(file, 'api', redis.port);
  const count = file.services['api']?.deploy?.replicas ?? 0;
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const start = async (index: number): Promise<Service> => {
    const providers = { WEATHER_PROVIDERS: 'open-meteo,met-norway' };
    const replica = await processes.addReplica({
      ...api,
      ...providers,
      PORT: String(ports[index]),
    });
    await becomesReady(replica);
    return replica;
  };
  const replicas = await Promise.all(ports.map((_, index) => start(index)));
  await processes.addWorker({
    ...environmentHere(file, 'worker', redis.port),
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
  });
  const corsOrigins = file.services['nginx']?.environment?.['CORS_ORIGINS'] ?? '';
  const nginx = await startNginx({ replicas: replicas.map(({ url }) => url), corsOrigins });
  t.after(() => nginx.stop());
  return {
    nginx,
    processes,
    replicas,
    async replace(index) {
      replicas[index] = await start(index);
    },
  };
}

/** The headers of a reply that are about other origins; one that came twice has both values. */
export function corsOf({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}
