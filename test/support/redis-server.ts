import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { watchOver } from './child-processes.js';
import { eventually } from './eventually.js';

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

export interface RedisOptions {
  /** A fixed port instead of a free one. */
  port?: number;
  /** Further arguments, such as `['--requirepass', 'secret']`. */
  args?: string[];
  /** Further environment variables. */
  env?: Record<string, string>;
}

/** Milliseconds. A node that hangs must not block its test. */
const COMMAND_LIMIT_MS = 10_000;

/** Below the ephemeral ports. The bus port of a cluster node is 10,000 higher. */
const [FIRST_PORT, PORTS] = [12_000, 9000];

/** A free port on 127.0.0.1. Another process may take it before it is used, which is rare. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function launch(
  port: number,
  directory: string,
  { args = [], env = {} }: RedisOptions,
): Promise<ChildProcess> {
  const child = spawn(
    'redis-server',
    // prettier-ignore
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no',
      '--dir', directory, '--daemonize', 'no', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  watchOver(child);
  const isReady = () => output.includes('Ready to accept connections');
  await eventually(() => isReady() || !isRunning(child), 'a redis-server');
  if (isReady()) return child;
  throw new Error(`redis-server did not start on port ${port}: ${output}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Starts an empty redis-server on 127.0.0.1 without persistence, and waits until it replies. */
export async function startRedis(options: RedisOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'weather-redis-'));
  let port = 0;
  let child: ChildProcess | undefined;
  // Another process may take a free port before redis-server binds it.
  const attempts = options.port === undefined ? 5 : 1;
  for (let attempt = 1; child === undefined; attempt += 1) {
    port = options.port ?? (await freePort());
    try {
      child = await launch(port, directory, options);
    } catch (error) {
      if (attempt < attempts) continue;
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }
  let current = child;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    /** The current process. A restart changes it. */
    get pid() {
      if (current.pid === undefined) throw new Error('redis-server has no process');
      return current.pid;
    },
    /** Ends the server and removes its directory. Safe to call twice. */
    async stop() {
      await end(current, 'SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
    /** Sends a signal. After SIGKILL or SIGTERM, resolves when the process has ended. */
    async kill(signal: NodeJS.Signals) {
      if (signal === 'SIGKILL' || signal === 'SIGTERM') await end(current, signal);
      else current.kill(signal);
    },
    /** Kills the process and starts another one on the same port, without data. */
    async restart() {
      await end(current, 'SIGKILL');
      current = await launch(port, directory, options);
    },
  };
}

/**
 * Runs commands on one server, over a connection of their own.
 * @throws the errors of the commands, and an error if the server does not reply in time
 */
export async function administer<T>(
  { port }: { port: number },
  run: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', {
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_LIMIT_MS,
  });
  redis.on('error', () => undefined);
  try {
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}
