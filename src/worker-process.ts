import { exposeMetrics } from './process/metrics/metrics-server.js';
import { exitIfCheck, startProcess, startFields } from './process/start.js';
import { createCommonServices } from './services.js';

/** The worker process: runs queued fetch jobs. */

const context = startProcess('worker');
await exitIfCheck(context.log, startFields(context.config));
const { store, fetching, metrics } = await createCommonServices(context);
const worker = store.startWorker(fetching);
await exposeMetrics(metrics, context, {
  isHealthy: () => worker.isHealthy(),
  isReady: () => store.state().wasReached,
});
context.log.info({ event: 'worker_started', ...startFields(context.config) });
