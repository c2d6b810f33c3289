import { systemClock as clock } from './process/clock.js';
import { createLifecycle } from './process/lifecycle.js';
import { onEndSignal } from './process/signals.js';
import { begin, exposeMetrics, startFields } from './process/start.js';
import { createCommonServices } from './services.js';

/** The worker process: runs queued fetch jobs. */

const { config, log } = begin('worker');
const lifecycle = createLifecycle({ log, ...config.shutdown });
onEndSignal(lifecycle.shutDown);
const { store, fetcher, kinds, metrics } = await createCommonServices({
  config,
  log,
  clock,
  lifecycle,
});
const worker = store.startWorker(fetcher, kinds);
await exposeMetrics(
  metrics,
  { config, log, lifecycle },
  {
    isHealthy: () => worker.isHealthy(),
    isReady: () => store.state().wasReached,
  },
);
log.info({ event: 'worker_started', ...startFields(config) });
