import type { RequestListener } from 'node:http';
import type { Logger } from '../log.js';
import { createBoundedServer, type BoundedServer } from '../bounded-server.js';
import type { ProcessContext } from '../context.js';
import { listen } from '../start.js';
import type { Metrics } from './metrics.js';

/** A quarter of the file descriptors that are reserved for everything but clients. */
const MAX_CONNECTIONS = 16;

/** The health of a process whose only port is the one for metrics. */
interface ProcessHealth {
  isHealthy: () => boolean;
  /** Whether the process has reached everything that it needs. */
  isReady: () => boolean;
}

/** If a port is set for metrics, serves them until everything else has been closed. */
export async function exposeMetrics(
  metrics: Metrics | undefined,
  { config, log, lifecycle }: ProcessContext,
  health: ProcessHealth = { isHealthy: () => true, isReady: () => true },
): Promise<void> {
  const { HOST: host, METRICS_PORT: port } = config;
  if (!metrics || port === undefined) return;
  const { server } = createMetricsServer(metrics, health, log);
  await listen(server, { host, port, variable: 'METRICS_PORT' }, log);
  lifecycle.onClose(() => {
    server.close();
    server.closeAllConnections();
  });
}

/** Creates the server of `/metrics`, and of `/healthz` and `/readyz` for a worker. */
export function createMetricsServer(
  metrics: Metrics,
  health: ProcessHealth,
  log: Logger,
): BoundedServer {
  const listener: RequestListener = (request, response) => {
    const respond = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    const probe = (isOk: boolean, fault: string) => {
      respond(isOk ? 200 : 503, 'text/plain', isOk ? 'ok\n' : `${fault}\n`);
    };
    if (request.url === '/healthz') probe(health.isHealthy(), 'the worker cannot take jobs');
    else if (request.url === '/readyz') probe(health.isReady(), 'Redis has not been reached yet');
    else if (request.url === '/metrics') {
      metrics.render().then(
        (body) => {
          respond(200, 'text/plain; version=0.0.4; charset=utf-8', body);
        },
        (error: unknown) => {
          log.error({ event: 'metrics_failed', err: error });
          respond(500, 'text/plain', 'the metrics could not be collected\n');
        },
      );
    } else respond(404, 'text/plain', 'not found\n');
  };
  return createBoundedServer(listener, { maxConnections: MAX_CONNECTIONS });
}
