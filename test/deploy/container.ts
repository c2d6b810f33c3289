import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startProgram, type Program } from '../support/processes.js';
import type { MountedImage } from './image.js';

/** A process of the image, as a container engine would start it, but in the network of this machine. */
export interface Container extends Program {
  /** The process as this machine numbers it. */
  readonly pid: number;
  /** Runs another command in the same files, as the same user; tells its exit code. */
  exec(...command: string[]): number | null;
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
  const program = startProgram(
    // prettier-ignore
    ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', readOnly, root,
      ...inside, ...settings.Entrypoint, ...command],
    { env: { PATH: process.env['PATH'] ?? '' } },
  );
  const container: Container = {
    ...program,
    get pid() {
      return firstChild(program);
    },
    exec(...args) {
      const [file = '', ...rest] = [...inside, ...args];
      return spawnSync(
        'nsenter',
        ['--mount', '--target', String(firstChild(program)), file, ...rest],
        { stdio: 'ignore' },
      ).status;
    },
    async stop() {
      if (program.child.exitCode === null) process.kill(firstChild(program), 'SIGTERM');
      return program.exited;
    },
  };
  const event = command.join().includes('worker') ? 'worker_started' : 'server_started';
  await program.waitFor(event, undefined, 20_000).catch((error: unknown) => {
    program.kill('SIGKILL');
    throw error;
  });
  return container;
}

/** The process that `unshare` forked: number 1 in its own view. */
function firstChild({ pid }: Program): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}
