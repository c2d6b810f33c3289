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
    log.fatal({ event: 'listen_failed', address, code, hint: hintFor(code, port.name) });
    exitWhenWritten(log, 1);
    return new Promise<never>(() => undefined);
  }
}

function hintFor(code: string | undefined, variable: string): string {
  if (code === 'EADDRINUSE') {
    return `another process uses the port: stop it, or set ${variable} to another port`;
  }
  if (code === 'EACCES') {
    return `this user may not use the port: set ${variable} to one above 1023`;
  }
  return `check ${variable.replace('PORT', 'HOST')} and ${variable}`;
}
