import { systemClock as clock } from './process/clock.js';
import { serveMetrics } from './process/metrics.js';
import { createServices } from './services.js';
import { createShutdown } from './process/lifecycle.js';
import { begin, describeStore } from './process/start.js';

/** The worker process: the same services, only to take fetch jobs from the queue. */

const { config, log } = begin('worker');
const services = createServices({ ...config, runWorker: true }, log, clock);
if (services.metrics && config.metricsPort !== undefined) {
  await serveMetrics(services.metrics, { host: config.host, port: config.metricsPort });
}
createShutdown().onSignal({
  log,
  ...config.shutdown,
  server: undefined,
  close: (limitMs) => services.close(limitMs),
});
log.info({
  event: 'worker_started',
  store: describeStore(config.redis),
  providers: config.upstream.providers.join(', '),
});
