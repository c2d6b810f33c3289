import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCommand } from '../support/packages.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The image that the Dockerfile starts from, with its version. */
export const BASE =
  /^FROM (\S+) AS base$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? '';

/** Runs a command to its end. @throws with what it said when it fails */
export function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout.trim();
}

export const buildah = (...args: string[]): string => run('buildah', ...args);

/**
 * The base image: the one that is here, else the official one, else, where no registry of images
 * can be reached, a stand-in: the same Debian by debootstrap, with the Node.js that runs this.
 */
export function ensureBase(): void {
  ensureCommand('buildah', 'buildah');
  const has = () => spawnSync('buildah', ['inspect', '--type', 'image', BASE]).status === 0;
  if (has()) return;
  spawnSync('buildah', ['pull', '--quiet', `docker.io/library/${BASE}`], { timeout: 120_000 });
  if (has()) return;
  ensureCommand('debootstrap', 'debootstrap');
  const folder = mkdtempSync(join(tmpdir(), 'weather-base-'));
  try {
    const root = join(folder, 'root');
    // Node.js 26 needs the library, which the official image has, too.
    run(
      'debootstrap',
      '--variant=minbase',
      '--include=libatomic1',
      /-(\w+)-slim$/.exec(BASE)?.[1] ?? '',
      root,
    );
    installNode(root);
    const archive = join(folder, 'root.tar');
    run('tar', '-C', root, '-cf', archive, '.');
    const container = buildah('from', 'scratch');
    buildah('add', '--quiet', container, archive, '/');
    buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
    buildah('commit', '--quiet', '--rm', container, `docker.io/library/${BASE}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Node.js of the version that ships, npm and the user `node`, where the official image has them. */
function installNode(root: string): void {
  const node = join(root, 'usr/local/bin/node');
  const [, major = ''] = /^node:(\d+)\./.exec(BASE) ?? [];
  if (process.versions.node.startsWith(`${major}.`)) copyFileSync(process.execPath, node);
  else downloadNode(major, node);
  const npm = join(run('npm', 'root', '--global'), 'npm');
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n');
  // A network that inspects TLS has certificates of its own, which npm must know in there, too.
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  if (!existsSync(certificates)) return;
  mkdirSync(join(root, dirname(certificates)), { recursive: true });
  copyFileSync(certificates, join(root, certificates));
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `cafile=${certificates}\n`);
}

/** npm has Node.js itself, too: its newest release of a major version. */
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
