import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from '../process/log.js';

/**
 * Descriptors for all but clients' connections: Redis, providers, files. Doubled: under a limit of
 * 1,024 open files there is room for 64 clients less.
 */
const RESERVED = 64;
/** From this share of the room on, answers end their connections. At 1, probes would find no room. */
const CROWDED = 0.9;
/** Dropped connections are counted for so long. Doubled: the first record of them comes 10 s later. */
const COUNT_MS = 10_000;

/**
 * Keeps clients from using up the descriptors that the process is allowed, and tells when it has to
 * drop their connections. At the limit itself libuv would drop them without a word, and no connection
 * to Redis or to a provider could be opened.
 * @returns whether so many are connected that their connections should go round
 */
export function limitConnections(server: Server, log: Logger): (open: number) => boolean {
  const limit = maxOpenFiles();
  if (limit === undefined) return () => false;
  const most = Math.max(limit - RESERVED, Math.floor(limit / 2));
  server.maxConnections = most;
  let dropped = 0;
  server.on('drop', () => {
    dropped += 1;
    if (dropped > 1) return;
    setTimeout(() => {
      const hint = 'raise the limit of open files (ulimit -n), or run more replicas';
      log.warn({ event: 'connections_dropped', dropped, open_files: limit, hint });
      dropped = 0;
    }, COUNT_MS).unref();
  });
  return (open) => open > CROWDED * most;
}

/** How many descriptors this process may have open; undefined where the system has no such file. */
function maxOpenFiles(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
