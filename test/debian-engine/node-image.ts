import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs a command. @throws with its output if it fails */
export function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Node.js, npm, and the user `node`, at the same paths as in the official image. */
export function installNode(root: string, image: string): void {
  const node = join(root, 'usr/local/bin/node');
  const [, major = ''] = /^node:(\d+)\./.exec(image) ?? [];
  if (process.versions.node.startsWith(`${major}.`)) copyFileSync(process.execPath, node);
  else downloadNode(major, node);
  const npm = join(run('npm', 'root', '--global'), 'npm');
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n');
  // A network that inspects TLS has its own certificates, which npm in the image needs, too.
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  if (!existsSync(certificates)) return;
  mkdirSync(join(root, dirname(certificates)), { recursive: true });
  copyFileSync(certificates, join(root, certificates));
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `cafile=${certificates}\n`);
}

/** The newest release of a major version of Node.js, from npm. */
function downloadNode(major: string, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'weather-node-'));
  try {
    const name = `node-linux-${process.arch}@${major}`;
    const versions = run('npm', 'view', name, 'version', '--json');
    const newest = (JSON.parse(versions) as string[]).toSorted(byVersion).at(-1) ?? '';
    const packed = `node-linux-${process.arch}@${newest}`;
    const [file = ''] = run('npm', 'pack', '--silent', '--pack-destination', folder, packed).split(
      '\n',
    );
    run('tar', '-C', folder, '-xf', join(folder, file), 'package/bin/node');
    copyFileSync(join(folder, 'package/bin/node'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
