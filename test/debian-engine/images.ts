import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGES, type Engine } from '../compose/docker.js';
import { mirror } from './packages-of-debian.js';
import { ensureCommand } from '../support/packages.js';
import { installNode, run } from './node-image.js';

/**
 * The official images. If no registry can be reached, substitutes with the same names: Debian by debootstrap with
 * the program, and an entry point that works like the official one.
 */

const PULL_LIMIT_MS = 60_000;

/** Makes sure that the engine has each image. This takes minutes the first time. */
export async function ensureImages(engine: Engine): Promise<void> {
  await ensure(engine, IMAGES.node, importNode);
  await ensure(engine, IMAGES.redis, importRedis);
  await ensure(engine, IMAGES.nginx, importNginx);
}

async function ensure(
  engine: Engine,
  image: string,
  make: (engine: Engine, image: string) => Promise<void>,
): Promise<void> {
  const { docker } = engine;
  const has = () =>
    docker('image', 'inspect', image).then(
      () => true,
      () => false,
    );
  if (await has()) return;
  const pulled = docker('pull', '--quiet', image).catch(() => undefined);
  await Promise.race([
    pulled,
    new Promise((resolve) => setTimeout(resolve, PULL_LIMIT_MS).unref()),
  ]);
  if (!(await has())) await make(engine, image);
}

/** The version of Node.js in the image, on the Debian of the official image. */
function importNode(engine: Engine, image: string): Promise<void> {
  return importDebian(engine, image, {
    release: /-(\w+)-slim$/.exec(image)?.[1] ?? '',
    // Node.js 26 needs this library. The official image has it, too.
    packages: ['libatomic1'],
    prepare: (root) => {
      installNode(root, image);
    },
    settings: ['ENV PATH=/usr/local/bin:/usr/bin:/bin'],
  });
}

function importRedis(engine: Engine, image: string): Promise<void> {
  const release = /-(\w+)$/.exec(image)?.[1] ?? '';
  return importDebian(engine, image, {
    release,
    packages: ['redis-server'],
    prepare(root) {
      // As in the official image, the user and the folder of the volume have the ID 999.
      mkdirSync(join(root, 'data'), { recursive: true });
      chownSync(join(root, 'data'), 999, 999);
      write(
        join(root, 'usr/local/bin/docker-entrypoint.sh'),
        `#!/bin/sh
# Root gives the folder to the user of Redis, and becomes that user.
set -e
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  find . \\! -user redis -exec chown redis '{}' +
  exec setpriv --reuid redis --regid redis --clear-groups "$0" "$@"
fi
umask 0077
exec "$@"
`,
      );
    },
    settings: [
      'WORKDIR /data',
      'VOLUME /data',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["redis-server"]',
    ],
  });
}

/** The newest nginx of Debian: the one of Debian 13 does not support `resolve`. */
function importNginx(engine: Engine, image: string): Promise<void> {
  return importDebian(engine, image, {
    release: 'forky',
    packages: ['nginx', 'busybox-static', 'gettext-base'],
    prepare(root) {
      // As in Alpine, for the health check.
      symlinkSync('/bin/busybox', join(root, 'usr/local/bin/wget'));
      run('chroot', root, 'groupadd', '--gid', '101', '--non-unique', 'nginx');
      run('chroot', root, 'useradd', '--uid', '101', '--gid', '101', '--non-unique', 'nginx');
      rmSync(join(root, 'etc/nginx/conf.d'), { recursive: true, force: true });
      mkdirSync(join(root, 'etc/nginx/conf.d'));
      writeFileSync(join(root, 'etc/nginx/conf.d/default.conf'), 'server { listen 80; }\n');
      write(join(root, 'docker-entrypoint.sh'), NGINX_ENTRY_POINT);
      mkdirSync(join(root, 'docker-entrypoint.d'));
      for (const [name, text] of Object.entries(NGINX_STEPS)) {
        write(join(root, 'docker-entrypoint.d', name), SAYING + text);
      }
    },
    settings: [
      'STOPSIGNAL SIGQUIT',
      'ENTRYPOINT ["/docker-entrypoint.sh"]',
      `CMD ["nginx", "-g", "daemon off;"]`,
    ],
  });
}

/** The output of the official entry point, and the variable that disables it. */
const SAYING = `#!/bin/sh
set -e
me=\${0##*/}
say() { [ -n "\${NGINX_ENTRYPOINT_QUIET_LOGS:-}" ] || echo "$@"; }
`;
const NGINX_ENTRY_POINT = `${SAYING}
if [ "$1" = nginx ]; then
  say "$0: /docker-entrypoint.d/ is not empty, will attempt to perform configuration"
  for step in /docker-entrypoint.d/*.sh; do
    say "$0: Launching $step"
    "$step"
  done
  say "$0: Configuration complete; ready for start up"
fi
exec "$@"
`;
const NGINX_STEPS = {
  '10-listen-on-ipv6-by-default.sh': `
file=/etc/nginx/conf.d/default.conf
if [ ! -f "$file" ]; then say "$me: info: $file is not a file or does not exist"; exit 0; fi
say "$me: info: can not modify $file (read-only file system?)"
`,
  '20-envsubst-on-templates.sh': `
[ -d /etc/nginx/templates ] || exit 0
names=$(awk -v filter="\${NGINX_ENVSUBST_FILTER:-}" \\
  'BEGIN { for (name in ENVIRON) if (name ~ filter) printf "\${%s} ", name }')
for template in /etc/nginx/templates/*.template; do
  output=/etc/nginx/conf.d/$(basename "$template" .template)
  say "$me: Running envsubst on $template to $output"
  envsubst "$names" <"$template" >"$output"
done
`,
};

async function importDebian(
  { docker }: Engine,
  image: string,
  parts: {
    release: string;
    packages: string[];
    prepare: (root: string) => void;
    settings: string[];
  },
): Promise<void> {
  ensureCommand('debootstrap', 'debootstrap');
  await inFolder(async (folder) => {
    const root = join(folder, 'root');
    // A release that debootstrap does not know is built like its newest one.
    const known = existsSync(`/usr/share/debootstrap/scripts/${parts.release}`);
    run(
      'debootstrap',
      ...['--variant=minbase', `--include=${parts.packages.join()}`, parts.release, root],
      ...(known ? [] : [mirror(), 'sid']),
    );
    run('chroot', root, 'apt-get', 'clean');
    parts.prepare(root);
    const archive = join(folder, 'root.tar');
    run('tar', '-C', root, '-cf', archive, '.');
    const changes = parts.settings.flatMap((setting) => ['--change', setting]);
    await docker('import', ...changes, archive, image);
  });
}

function write(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weather-image-'));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
