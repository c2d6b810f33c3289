import { Console } from 'node:console';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
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
import type { ProcessContext } from './context.js';
import type { Clock } from '../weather/types.js';
import { createLifecycle, exitOnUnexpected } from './lifecycle.js';
import { createLogger, exitWhenWritten, type Logger } from './log.js';
import { onEndSignal } from './signals.js';

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

const MAX_CONSOLE_MESSAGES = 100;

const ARGUMENTS = process.argv.slice(2);
/** Whether the process only validates its configuration. */
const IS_CHECK = ARGUMENTS.includes('--check');

/**
 * Turns off an optimization of V8, which would allocate some short-lived objects as long-lived, and
 * with them retain whole requests (docs/performance.md).
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/** Reads the configuration, creates the log, and handles signals. Exits with 1 if it is invalid. */
export function startProcess(role: Role): ProcessContext {
  let config: Config;
  try {
    const unknown = ARGUMENTS.find((argument) => argument !== '--check');
    if (unknown !== undefined) throw new ConfigError([`the argument ${unknown} is unknown`]);
    config = configOfProcess(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { message, faults, isLogging } = error;
    const logger = createLogger({ enabled: isLogging, level: 'ERROR' });
    logger.fatal({ event: 'configuration_invalid', message, faults });
    process.exit(1);
  }
  const log = IS_CHECK
    ? createLogger({ enabled: true, level: 'INFO' })
    : createLogger({ enabled: config.ENABLE_LOGGING, level: config.LOG_LEVEL });
  if (config.unknownNames.length > 0) {
    const hint = 'the service does not know these variables: see docs/configuration.md';
    log.warn({ event: 'variables_unknown', names: config.unknownNames, hint });
  }
  if (config.lacksContact) {
    const hint =
      'MET Norway requires contact details: add an email address or a URL to UPSTREAM_USER_AGENT';
    log.warn({ event: 'provider_left_out', provider: 'met-norway', hint });
  }
  exitOnUnexpected(log);
  logConsole(log);
  const lifecycle = createLifecycle({ log, ...config.shutdown });
  onEndSignal(async (signal) => {
    exitWhenWritten(log, await lifecycle.shutDown(signal));
  });
  return { config, log, clock, lifecycle };
}

/** With `--check`, logs what the process would use, and exits with code 0 before it connects. */
export async function exitIfCheck(log: Logger, fields: object): Promise<void> {
  if (!IS_CHECK) return;
  log.info({ event: 'configuration_valid', ...fields });
  exitWhenWritten(log, 0);
  await new Promise<never>(() => undefined);
}

/** Logs what libraries write to the console, each message once: Redis clients repeat theirs. */
function logConsole(log: Logger): void {
  const loggedMessages = new Set<string>();
  const stderr = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      const message = text.trimEnd().replaceAll('\n', ' ');
      if (!loggedMessages.has(message) && loggedMessages.size < MAX_CONSOLE_MESSAGES) {
        loggedMessages.add(message);
        log.info({ event: 'library_message', message });
      }
      done();
    },
  });
  globalThis.console = new Console({ stdout: process.stdout, stderr });
}

/**
 * Connections that may wait to be accepted: more than the 1000 that one client may open behind
 * nginx. Fewer: while the process gets no CPU time, some are lost, and nginx counts the replica as
 * failed. More: in a flood of connections, probes wait longer.
 */
const BACKLOG = 1024;

/** Makes a server listen. Returns its port, or logs which variables to change and exits with 1. */
export async function listen(
  server: Server,
  { host, port, variable }: { host: string; port: number; variable: 'PORT' | 'METRICS_PORT' },
  log: Logger,
): Promise<number> {
  try {
    server.listen(port, host, BACKLOG);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const hint = `check HOST and ${variable}: the port may be in use, or this user may not open it`;
    log.fatal({ event: 'listen_failed', address, code, hint });
    exitWhenWritten(log, 1);
    return new Promise<never>(() => undefined);
  }
  return (server.address() as AddressInfo).port;
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
  return `redis master ${address.master} through sentinels ${list(address.sentinels)}`;
}
