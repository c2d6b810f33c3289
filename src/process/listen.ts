import { exitWhenWritten, type Logger } from './log.js';

/**
 * Waits for a server to listen. A port that cannot be had is no fault in the program: it gets a record
 * that says what to change, and the process ends with code 1.
 * @param port the variable that sets it, and its number
 */
export async function listening<T>(
  started: Promise<T>,
  { host, port, log }: { host: string; port: { name: string; number: number }; log: Logger },
): Promise<T> {
  try {
    return await started;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // `listen`, or `getaddrinfo` for a host that is a name.
    if (syscall === undefined) throw error;
    const address = `${host.includes(':') ? `[${host}]` : host}:${port.number}`;
    const variables = `${port.name.replace('PORT', 'HOST')} and ${port.name}`;
    const hint = `check ${variables}: the port may be in use, or not allowed to this user`;
    log.fatal({ event: 'listen_failed', address, code, hint });
    exitWhenWritten(log, 1);
    return new Promise<never>(() => undefined);
  }
}
