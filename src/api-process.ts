import { createApp } from './app.js';
import { createHttpServer } from './http/http-server.js';
import { createServices } from './services.js';
import { exposeMetrics } from './process/metrics/metrics-server.js';
import { exitIfCheck, listen, startFields, startProcess } from './process/start.js';

/** The API process: configuration → services → app → listen → shutdown. */

/** Milliseconds by which a connection outlives its request, so that the response is sent first. */
const AFTER_RESPONSE_MS = 1000;

const context = startProcess('api');
const { config, log, lifecycle } = context;
warnOfWeakSettings();
await exitIfCheck(log, usedSettings());

const services = await createServices(context);
await exposeMetrics(services.metrics, context);
const handle = createApp({ ...context, services }).callback();
const inFlight = new Set<Promise<void>>();
const boundedServer = createHttpServer((request, response) => {
  const end = () => void inFlight.delete(handled);
  const handled = handle(request, response).then(end, end);
  inFlight.add(handled);
}, config.REQUEST_TIMEOUT_MS + AFTER_RESPONSE_MS);
const port = await listen(
  boundedServer.server,
  { host: config.HOST, port: config.PORT, variable: 'PORT' },
  log,
);
services.metrics?.watchRequests(() => inFlight.size);
lifecycle.addServer(boundedServer);
// Requests whose connection was cut write their records before their stores are closed.
lifecycle.onClose(async () => {
  await Promise.all(inFlight);
});
const { HOST: host } = config;
const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
const address = `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`;
log.info({ event: 'server_started', address, docs: `${address}/apidocs/`, ...usedSettings() });

function warnOfWeakSettings(): void {
  const { production, CORS_ORIGINS: corsOrigins } = config;
  if (!config.SESSION_SECRET_KEY) {
    log.warn({
      event: 'session_key_random',
      hint: 'sessions end with this process: set SESSION_SECRET_KEY',
    });
  }
  if (config.RATE_LIMIT_DRY_RUN) {
    log.warn({
      event: 'rate_limits_dry_run',
      hint: 'RATE_LIMIT_DRY_RUN: no limit rejects requests',
    });
  }
  if (config.hasDefaultTotalLimit && production) {
    log.warn({
      event: 'total_limit_is_default',
      hint: `all clients together may send ${config.RATE_LIMIT_TOTAL} requests an hour: set RATE_LIMIT_TOTAL`,
    });
  }
  if (corsOrigins === '*' && production) {
    log.warn({ event: 'cors_all_origins', hint: 'name the origins in CORS_ORIGINS' });
  }
  if (Array.isArray(corsOrigins) && corsOrigins.length === 0) {
    log.info({
      event: 'cors_no_origins',
      hint: 'CORS_ORIGINS is not set: pages of other origins cannot call the API',
    });
  }
}

/** Returns what the process uses, for its records. */
function usedSettings() {
  const { RATE_LIMIT_FETCHES_PER_IP: fetches } = config;
  return {
    ...startFields(config),
    limit_per_ip: limitText(config.RATE_LIMIT_PER_IP, config.RATE_LIMIT_PER_IP_WINDOW_SECONDS),
    limit_total: limitText(config.RATE_LIMIT_TOTAL, config.RATE_LIMIT_TOTAL_WINDOW_SECONDS),
    limit_fetches: limitText(fetches, config.RATE_LIMIT_FETCHES_PER_IP_WINDOW_SECONDS),
  };
}

/** Describes a rate limit in the format of `PROVIDER_BUDGETS`, for example `30/60`. */
function limitText(requests: number, windowSeconds: number): string {
  return requests === 0 ? 'none' : `${requests}/${windowSeconds}`;
}
