import {
  ConfigError,
  configOfProcess,
  type Config,
  type RedisAddress,
  type Role,
} from '../config/config.js';
import { createLogger, type Logger } from './log.js';
import { exitOnUnexpected } from './lifecycle.js';

/** Configuration and log of a process; without a valid configuration it ends with code 1. */
export function begin(role: Role): { config: Config; log: Logger } {
  let config: Config;
  try {
    config = configOfProcess(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (process.stdout.isTTY) console.error(error.message);
    else {
      createLogger({ enabled: true, level: 'ERROR' }).error({
        event: 'configuration_invalid',
        message: error.message,
        faults: error.faults,
      });
    }
    process.exit(1);
  }
  const log = createLogger(config.log);
  exitOnUnexpected(log);
  return { config, log };
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
