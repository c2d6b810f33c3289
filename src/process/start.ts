import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import {
  ConfigError,
  configOfProcess,
  type Config,
  type RedisAddress,
  type Role,
} from '../config/config.js';
import { SERVICE_VERSION } from '../base/version.js';
import { GEOCODER_NAME } from '../config/providers.js';
import { createLogger, type Logger } from './log.js';
import { listen } from './listen.js';
import { exitOnUnexpected, type Lifecycle } from './lifecycle.js';
import { createMetricsServer, type ProcessHealth } from './metrics/metrics-server.js';
import type { Metrics } from './metrics/metrics.js';

const MAX_CONSOLE_MESSAGES = 100;

/**
 * Turns off an optimization of V8: it allocates the objects of a call site as long-lived if earlier ones survived a garbage
 * collection, and these objects retain whole requests (docs/performance.md).
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/** Reads the configuration of a process and creates its log. If the configuration is invalid, exits with code 1. */
export function begin(role: Role): { config: Config; log: Logger } {
  let config: Config;
  try {
    config = configOfProcess(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { message, faults, isLogging } = error;
    const logger = createLogger({ enabled: isLogging, level: 'ERROR' });
    logger.fatal({ event: 'configuration_invalid', message, faults });
    process.exit(1);
  }
  const log = createLogger({ enabled: config.ENABLE_LOGGING, level: config.LOG_LEVEL });
  if (config.lacksContact) {
    const hint = 'its terms demand a contact: put yours into UPSTREAM_USER_AGENT';
    log.warn({ event: 'provider_left_out', provider: 'met-norway', hint });
  }
  exitOnUnexpected(log);
  recordConsole(log);
  return { config, log };
}

/** Logs what libraries write to the console, each message once: Redis clients repeat theirs for each new connection. */
function recordConsole(log: Logger): void {
  const known = new Set<string>();
  const stderr = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      const message = text.trimEnd().replaceAll('\n', ' ');
      if (!known.has(message) && known.size < MAX_CONSOLE_MESSAGES) {
        known.add(message);
        log.info({ event: 'library_message', message });
      }
      done();
    },
  });
  globalThis.console = new Console({ stdout: process.stdout, stderr });
}

/** If a port is set for metrics, serves them until everything else in the process has been closed. */
export async function exposeMetrics(
  metrics: Metrics | undefined,
  { config, log, lifecycle }: { config: Config; log: Logger; lifecycle: Lifecycle },
  health: ProcessHealth = { isHealthy: () => true, isReady: () => true },
): Promise<void> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  if (!metrics || port === undefined) return;
  const { server, connections } = createMetricsServer(metrics, health, log);
  await listen(server, { host, port, variable: 'METRICS_PORT' }, log);
  lifecycle.onClose(() => {
    server.close();
    connections.closeAll();
  });
}

/** Returns the fields of the start record: what a process uses. */
export function startFields({ redis, providers, usesGeocoder, urls }: Config) {
  return {
    version: SERVICE_VERSION,
    store: describeStore(redis),
    providers: providers.join(', '),
    geocoder: usesGeocoder ? new URL(urls[GEOCODER_NAME]).host : 'none',
  };
}

/** Describes the store, without a password. */
function describeStore(address: RedisAddress | undefined): string {
  const list = (nodes: { host: string; port: number }[]) =>
    nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  if (!address) return 'memory (this process only)';
  if (address.kind === 'single') return `redis at ${new URL(address.url).host}`;
  if (address.kind === 'cluster') return `redis cluster at ${list(address.nodes)}`;
  return `redis master ${address.master} by sentinels ${list(address.sentinels)}`;
}
