import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOver } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import { ensureCommand } from '../support/packages.js';
import { dockerIn, ROOT, type Engine } from '../compose/docker.js';
import { ensureImages } from './images.js';
import { unpackPackages } from './packages-of-debian.js';

/** The release of Debian with Compose 2.40 and engine 28.5. */
const RELEASE = 'forky';
const PACKAGES = 'docker.io docker-cli docker-compose docker-buildx containerd tini-static'.split(
  ' ',
);
const CACHE = join(ROOT, '.cache/engine');
const START_LIMIT_MS = 60_000;
/**
 * dockerd changes these parts of the network of this machine. Tables that do not exist yet are not saved, and
 * `iptables-restore` keeps what it does not read, so it first reads that these tables are empty.
 */
const SAVE_NETWORK = `printf '*%s\\nCOMMIT\\n' raw filter nat | tee iptables >ip6tables
  iptables-save >>iptables
  ip6tables-save >>ip6tables
  sysctl net.ipv4.ip_forward net.ipv6.conf.all.forwarding net.ipv6.conf.default.forwarding >sysctl`;
const RESTORE_NETWORK = `iptables-restore <iptables
  ip6tables-restore <ip6tables
  sysctl --quiet --load=sysctl
  ip link delete docker0`;

/** The reason why no engine can be started here. Undefined: one can be started. */
export function whyNoDebianEngine(): string | undefined {
  if (!existsSync('/etc/debian_version')) return 'the engine comes from packages of Debian';
  const [, rights = ''] =
    /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  // CAP_SYS_ADMIN for mounts, CAP_NET_ADMIN for networks.
  const mayRun = [21n, 12n].every((bit) => (BigInt(`0x${rights}`) >> bit) & 1n);
  return mayRun ? undefined : 'a container engine needs root, in a container a privileged one';
}

/**
 * Starts dockerd from packages of Debian, with the base images of this service. `.cache/engine` caches them and all
 * built images. Removes the containers of an earlier run.
 */
export async function startDebianEngine(): Promise<Engine> {
  ensureCommand('runc', 'runc');
  ensureCommand('iptables', 'iptables');
  ensureCommand('ip', 'iproute2');
  ensureCommand('sysctl', 'procps');
  const root = join(CACHE, RELEASE);
  if (!existsSync(root)) {
    const made = `${root}.${process.pid}`;
    unpackPackages(RELEASE, PACKAGES, made);
    renameSync(made, root);
  }
  const folder = mkdtempSync(join(tmpdir(), 'weather-engine-'));
  const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd: folder });
  const plugins = join(root, 'usr/libexec/docker/cli-plugins');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ cliPluginsExtraDirs: [plugins] }));
  // Replaces the settings of the machine.
  writeFileSync(join(folder, 'daemon.json'), '{}');
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const env = {
    PATH: `${root}/usr/bin:${root}/usr/sbin:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    DOCKER_HOST: socket,
    DOCKER_CONFIG: folder,
  };
  const log = join(folder, 'dockerd.log');
  const init = join(root, 'usr/bin/tini-static');
  sh(SAVE_NETWORK);
  // Its containers end with its process 1, and no other process sees its mounts.
  const child = spawn(
    'unshare',
    // prettier-ignore
    ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', init, '--', 'dockerd',
      '--init-path', init, '--host', socket, '--data-root', join(CACHE, 'data'),
      '--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid'),
      '--config-file', join(folder, 'daemon.json')],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  watchOver(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(createWriteStream(log, { flags: 'a' }));
  }
  const docker = dockerIn(env);
  const answers = () =>
    docker('version').then(
      () => true,
      () => child.exitCode !== null,
    );
  await eventually(answers, `dockerd: see ${log}`, START_LIMIT_MS);
  if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
  await clear(docker);
  const engine = {
    env,
    docker,
    async stop() {
      await clear(docker);
      const ended = once(child, 'exit');
      // `unshare` itself ignores the signal.
      process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')));
      await ended;
      sh(RESTORE_NETWORK);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await ensureImages(engine);
  return engine;
}

/** Removes containers, networks, and volumes. Keeps images and the build cache. */
async function clear(docker: Engine['docker']): Promise<void> {
  const containers = await docker('ps', '--all', '--quiet');
  if (containers) await docker('rm', '--force', '--volumes', ...containers.split('\n'));
  await docker('network', 'prune', '--force');
  await docker('volume', 'prune', '--all', '--force');
  await docker('image', 'prune', '--force');
}
