import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { exitWhenWritten, type Logger } from './log.js';

/**
 * Connections that may wait until the process accepts them. The default, 511, is less than one client opens behind nginx:
 * while the process gets no CPU time, further ones are lost, and nginx counts the replica as failed after half a second.
 * Linux reduces it to `net.core.somaxconn`, whose default this is.
 */
const BACKLOG = 4096;

/**
 * Makes a server listen, and returns its port. If the address cannot be used, logs which variables to change and exits with
 * code 1.
 */
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
    const hint = `check ${variable.replace('PORT', 'HOST')} and ${variable}: the port may be in use, or not allowed to this user`;
    log.fatal({ event: 'listen_failed', address, code, hint });
    exitWhenWritten(log, 1);
    return new Promise<never>(() => undefined);
  }
  return (server.address() as AddressInfo).port;
}
