import {
  chmodSync,
  chownSync,
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
import { setTimeout as sleep } from 'node:timers/promises';
import { IMAGES, type Engine } from '../compose/docker.js';
import { ensureCommand } from '../support/packages.js';
import { mirror, run } from './packages-of-debian.js';

const PULL_LIMIT_MS = 60_000;
/** The release of Debian whose nginx supports `resolve`. */
const RELEASE = 'forky';
/** Node.js needs libatomic1. The entry point and the health check of nginx need the last two. */
const PACKAGES = ['redis-server', 'nginx', 'libatomic1', 'gettext-base', 'wget'];
/** A network that inspects TLS has its own certificates, which npm in the image needs, too. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** The settings of the official images that docker-compose.yml and the Dockerfile rely on. */
const SETTINGS: Record<string, string[]> = {
  redis: ['VOLUME /data', 'WORKDIR /data'],
  nginx: [
    'STOPSIGNAL SIGQUIT',
    'ENTRYPOINT ["/docker-entrypoint.sh"]',
    'CMD ["nginx", "-g", "daemon off;"]',
  ],
};
/** Fills in the templates, as the official entry point does. */
const NGINX_ENTRY_POINT = `#!/bin/sh
set -e
names=$(awk -v filter="$NGINX_ENVSUBST_FILTER" \\
  'BEGIN { for (name in ENVIRON) if (name ~ filter) printf "\${%s} ", name }')
for template in /etc/nginx/templates/*.template; do
  envsubst "$names" <"$template" >"/etc/nginx/conf.d/$(basename "$template" .template)"
done
exec "$@"
`;

/**
 * Makes sure that the engine has the official images. If no registry can be reached, their names get a substitute:
 * one Debian with Node.js, Redis, and nginx. This takes minutes the first time.
 */
export async function ensureImages({ docker }: Engine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weather-image-'));
  const archive = join(folder, 'root.tar');
  const has = (image: string) =>
    docker('image', 'inspect', image).then(
      () => true,
      () => false,
    );
  try {
    for (const [name, image] of Object.entries(IMAGES)) {
      if (await has(image)) continue;
      const pulled = docker('pull', '--quiet', image).catch(() => undefined);
      await Promise.race([pulled, sleep(PULL_LIMIT_MS, undefined, { ref: false })]);
      if (await has(image)) continue;
      if (!existsSync(archive)) buildDebian(join(folder, 'root'), archive);
      const changes = (SETTINGS[name] ?? []).flatMap((setting) => ['--change', setting]);
      await docker('import', ...changes, archive, image);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildDebian(root: string, archive: string): void {
  ensureCommand('debootstrap', 'debootstrap');
  const options = ['--variant=minbase', `--include=${PACKAGES.join()}`];
  // The debootstrap of this machine may not know the release: it is built like its newest one.
  run('debootstrap', ...options, RELEASE, root, mirror(), 'sid');
  run('chroot', root, 'apt-get', 'clean');
  installNode(root);
  // As in the official image of Redis, so that the volume belongs to its user.
  mkdirSync(join(root, 'data'));
  chownSync(join(root, 'data'), 999, 999);
  const entryPoint = join(root, 'docker-entrypoint.sh');
  writeFileSync(entryPoint, NGINX_ENTRY_POINT);
  chmodSync(entryPoint, 0o755);
  run('tar', '-C', root, '-cf', archive, '.');
}

/** Installs Node.js in the major version of the Dockerfile, from its package in npm, and the npm of this machine. */
function installNode(root: string): void {
  const [, major = ''] = /^node:(\d+)\./.exec(IMAGES.node) ?? [];
  const name = `node-linux-${process.arch}@${major}`;
  const file = run('npm', 'pack', '--silent', '--pack-destination', dirname(root), name).trim();
  const local = join(root, 'usr/local');
  const parts = ['--strip-components=1', 'package/bin/node'];
  run('tar', '-C', local, '-xf', join(dirname(root), file), ...parts);
  const npm = join(run('npm', 'root', '--global').trim(), 'npm');
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  if (!existsSync(CERTIFICATES)) return;
  mkdirSync(join(root, dirname(CERTIFICATES)), { recursive: true });
  copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), `cafile=${CERTIFICATES}\n`);
}
