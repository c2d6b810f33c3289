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
import { createLogger, type Logger } from './log.js';
import { listening } from './listen.js';
import { exitOnUnexpected, type Lifecycle } from './lifecycle.js';
import { serveMetrics, type Health } from './metrics-server.js';
import type { Metrics } from './metrics.js';

/** Different messages of the console that are logged at most. */
const MAX_CONSOLE_MESSAGES = 100;

/**
 * V8 allocates the objects of some call sites as long-lived if they were alive at a garbage collection, and then keeps whole
 * requests alive with them: docs/performance.md. A V8 that does not know this flag writes a line and goes on.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/** Configuration and log of a process; without a valid configuration it ends with code 1. */
export function begin(role: Role): { config: Config; log: Logger } {
  let config: Config;
  try {
    config = configOfProcess(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (process.stdout.isTTY) console.error(error.message);
    else {
      createLogger({ enabled: error.isLogging, level: 'ERROR' }).fatal({
        event: 'configuration_invalid',
        message: error.message,
        faults: error.faults,
      });
    }
    process.exit(1);
  }
  const log = createLogger(config.log);
  if (config.upstream.lacksContact) {
    const hint = 'its terms demand a contact: put yours into UPSTREAM_USER_AGENT';
    log.warn({ event: 'provider_left_out', provider: 'met-norway', hint });
  }
  exitOnUnexpected(log);
  recordConsole(log);
  return { config, log };
}

/** The clients of Redis write warnings to the console, for each new connection. Each message becomes one record. */
function recordConsole(log: Logger): void {
  const known = new Set<string>();
  const stderr = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      const message = text.trimEnd();
      if (!known.has(message) && known.size < MAX_CONSOLE_MESSAGES) {
        known.add(message);
        log.info({ event: 'library_message', message });
      }
      done();
    },
  });
  globalThis.console = new Console({ stdout: process.stdout, stderr });
}

/**
 * Serves the metrics, where a port is set for them, until all else of the process has ended.
 * @param health what is told there; without it, all is well
 */
export async function exposeMetrics(
  metrics: Metrics | undefined,
  { config, log, lifecycle }: { config: Config; log: Logger; lifecycle: Lifecycle },
  health: Health = { isWell: () => true, isReady: () => true },
): Promise<void> {
  const { metricsHost: host, metricsPort } = config;
  if (!metrics || metricsPort === undefined) return;
  const server = await listening(serveMetrics(metrics, { host, port: metricsPort }, health), {
    host,
    port: { name: 'METRICS_PORT', number: metricsPort },
    log,
  });
  lifecycle.closes(() => {
    server.close();
    server.closeAllConnections();
  });
}

/** Where the state is kept, as a person reads it; never with a password. */
export function describeStore(address: RedisAddress | undefined): string {
  const list = (nodes: { host: string; port: number }[]) =>
    nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  switch (address?.kind) {
    case undefined:
      return 'memory (this process only)';
    case 'single':
      return `redis at ${new URL(address.url).host}`;
    case 'cluster':
      return `redis cluster at ${list(address.nodes)}`;
    case 'sentinel':
      return `redis master ${address.master} by sentinels ${list(address.sentinels)}`;
  }
}
