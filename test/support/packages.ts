import { spawnSync } from 'node:child_process';

/**
 * Makes sure that a command exists. If it is missing, as root or where `CI` is set, it installs the
 * Debian package, and logs that before.
 * @throws if the command is missing and was not installed, with the command that installs it
 */
export function ensureCommand(command: string, debianPackage: string): void {
  if (exists(command)) return;
  const install = `apt-get install -y --no-install-recommends ${debianPackage}`;
  const isRoot = process.getuid?.() === 0;
  const mayInstall = isRoot || (process.env['CI'] ?? '') !== '';
  if (!mayInstall || !exists('apt-get')) {
    throw new Error(
      `The tests need the command ${command}. Install it: on Debian and Ubuntu, sudo ${install}`,
    );
  }
  console.log(`The tests need the command ${command}, which is missing. Installing: ${install}`);
  const prefix = isRoot ? '' : 'sudo -n ';
  const script = `${prefix}apt-get update -q && ${prefix}${install} -q`;
  // Test files run concurrently, and no apt-get waits for another. All users can lock its file.
  const { status, stdout, stderr } = spawnSync('flock', ['/usr/bin/apt-get', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0 && exists(command)) return;
  const output = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n');
  throw new Error(`The command ${command} could not be installed: ${output}`);
}

function exists(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;
}
