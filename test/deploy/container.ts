import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { watchOver } from '../support/children.js';
import type { LogRecord } from '../support/service.js';
import type { MountedImage } from './image.js';

/** A process of the image, as a container engine would start it, but in the network of this machine. */
export interface Container {
  readonly records: LogRecord[];
  readonly noise: string[];
  /** The process as this machine numbers it. */
  readonly pid: number;
  /** Waits for a record. */
  waitFor(event: string, limitMs?: number): Promise<LogRecord>;
  /** Runs another command in the same files, as the same user; tells its exit code. */
  exec(...command: string[]): number | null;
  stop(): Promise<number | null>;
}

/**
 * Starts the image's entry point with its own environment, user and directory, as process 1 of its
 * own, on files that cannot be written.
 */
export async function startContainer(
  { settings, root }: MountedImage,
  command: string[] = settings.Cmd,
  env: Record<string, string> = {},
): Promise<Container> {
  const variables = [
    ...settings.Env,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
  const inside = [
    'chroot',
    `--userspec=${settings.User}`,
    root,
    ...['env', '-i', '-C', settings.WorkingDir, ...variables],
  ];
  // Its own view of the mounts, in which the files of the image are read-only.
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const child = spawn(
    'unshare',
    // prettier-ignore
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', readOnly, root,
      ...inside, ...settings.Entrypoint, ...command],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const records: LogRecord[] = [];
  const noise: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    records.push(JSON.parse(line) as LogRecord);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    noise.push(line);
  });
  watchOver(child);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const container: Container = {
    records,
    noise,
    get pid() {
      return firstChild(child);
    },
    async waitFor(event, limitMs = 20_000) {
      const deadline = Date.now() + limitMs;
      for (;;) {
        const found = records.find((record) => record.event === event);
        if (found) return found;
        if (child.exitCode !== null || Date.now() > deadline) {
          child.kill('SIGKILL');
          throw new Error(`no record ${event}: ${JSON.stringify(records)} ${noise.join('\n')}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    exec(...args) {
      const [program = '', ...rest] = [...inside, ...args];
      return spawnSync(
        'nsenter',
        ['--mount', '--target', String(firstChild(child)), program, ...rest],
        { stdio: 'ignore' },
      ).status;
    },
    async stop() {
      if (child.exitCode === null) process.kill(firstChild(child), 'SIGTERM');
      return exited;
    },
  };
  await container.waitFor(command.join().includes('worker') ? 'worker_started' : 'server_started');
  return container;
}

/** The process that `unshare` forked: number 1 in its own view. */
function firstChild({ pid = 0 }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}
