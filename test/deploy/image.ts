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

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Of every file in the image, as a release sets it to that of its commit. */
const TIMESTAMP = '1700000000';
export const VERSION = '12.34.56';
export const REVISION = '0123456789abcdef0123456789abcdef01234567';
/** The image that the Dockerfile starts from, with its version. */
export const BASE =
  /^FROM (\S+) AS base$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? '';

/** What an image says about how it is run. */
export interface ImageSettings {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Labels: Record<string, string>;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

export interface Image {
  settings: ImageSettings;
  /** The digests of its layers. */
  layers: string[];
}

export interface MountedImage extends Image {
  /** The image's files, on this machine. */
  root: string;
  /** What the image adds to its base, in bytes. */
  ownBytes: number;
  remove(): void;
}

/** Runs a command to its end. @throws with what it said when it fails */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout.trim();
}

const buildah = (...args: string[]): string => run('buildah', ...args);

/** Builds the Dockerfile with buildah, which needs no engine, from the files that are here. */
export function buildImage(tag: string): Image {
  ensureCommand('buildah', 'buildah');
  ensureBase();
  // By default buildah raises these limits, which root may not in every container.
  const limits = ['nofile=4096:4096', 'nproc=4096:4096'].flatMap((each) => ['--ulimit', each]);
  const options = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--no-cache',
    ...limits,
  ];
  const values = [`VERSION=${VERSION}`, `REVISION=${REVISION}`].flatMap((each) => [
    '--build-arg',
    each,
  ]);
  buildah('bud', '--quiet', ...options, ...values, '--timestamp', TIMESTAMP, '--tag', tag, ROOT);
  const { Docker, OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', tag)) as {
    Docker: { config: ImageSettings };
    OCIv1: { rootfs: { diff_ids: string[] } };
  };
  return { settings: Docker.config, layers: OCIv1.rootfs.diff_ids };
}

export function removeImage(tag: string): void {
  buildah('rmi', tag);
}

/** Builds the image and gives its files. */
export function mountImage(tag: string): MountedImage {
  const image = buildImage(tag);
  const container = buildah('from', '--pull-never', tag);
  const root = buildah('mount', container);
  return {
    ...image,
    root,
    ownBytes: Number(run('du', '-sb', join(root, 'app')).split('\t')[0]),
    remove() {
      buildah('umount', container);
      buildah('rm', container);
      removeImage(tag);
    },
  };
}

/**
 * The base image: the one that is here, else the official one, else, where no registry of images
 * can be reached, a stand-in: the same Debian by debootstrap, with the Node.js that runs this.
 */
function ensureBase(): void {
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

/** Node.js, npm and the user `node`, where the official image has them. */
function installNode(root: string): void {
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
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
