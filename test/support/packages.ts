import { spawnSync } from 'node:child_process';

/** How each system installs a package without asking, and how it is called there. */
interface PackageManager {
  command: string;
  steps: (packageName: string) => string[][];
  /** Homebrew refuses to run as root and needs no rights. */
  needsRoot: boolean;
}

const MANAGERS: PackageManager[] = [
  {
    command: 'apt-get',
    needsRoot: true,
    steps: (name) => [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-y', '-q', '--no-install-recommends', name],
    ],
  },
  { command: 'apk', needsRoot: true, steps: (name) => [['apk', 'add', '--no-cache', name]] },
  { command: 'dnf', needsRoot: true, steps: (name) => [['dnf', 'install', '-y', '-q', name]] },
  { command: 'brew', needsRoot: false, steps: (name) => [['brew', 'install', name]] },
];

/** The packages that are not called the same everywhere: by manager, under Debian's name. */
const OTHER_NAMES: Record<string, Record<string, string>> = {
  'redis-server': { apk: 'redis', dnf: 'redis', brew: 'redis' },
};

/**
 * Makes sure that a command exists, by the system's package manager when it is missing.
 * @param debianPackage the package that brings it, under its name in Debian
 * @throws with the command to run by hand when it cannot be had
 */
export function ensureCommand(command: string, debianPackage: string): void {
  if (exists(command)) return;
  const manager = MANAGERS.find((candidate) => exists(candidate.command));
  const name = (manager && OTHER_NAMES[debianPackage]?.[manager.command]) ?? debianPackage;
  if (!manager) throw missing(command, `no package manager is known here: install ${name}`);

  const prefix = manager.needsRoot && process.getuid?.() !== 0 ? ['sudo', '-n'] : [];
  console.log(`The tests need ${command}: installing the package ${name} with ${manager.command}`);
  for (const step of manager.steps(name)) {
    const [program = '', ...args] = [...prefix, ...step];
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) {
      const said = error
        ? error.message
        : `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n');
      throw missing(command, `"${[program, ...args].join(' ')}" failed:\n${said}`);
    }
  }
  if (!exists(command)) throw missing(command, `the package ${name} did not bring it`);
}

function exists(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0;
}

function missing(command: string, why: string): Error {
  return new Error(`The tests need ${command}, and it could not be installed: ${why}`);
}
