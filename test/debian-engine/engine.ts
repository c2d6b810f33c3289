import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { watchOver } from '../support/child-processes.js';
import { unpackPackages } from './packages-of-debian.js';
import { eventually } from '../support/eventually.js';
import { ensureCommand } from '../support/packages.js';
import { dockerIn, ROOT, type Engine } from '../compose/docker.js';
import { ensureImages } from './images.js';

/** The release of Debian with Compose 2.40 and engine 28.5. */
const RELEASE = 'forky';
const PACKAGES = 'docker.io docker-cli docker-compose docker-buildx containerd tini-static'.split(
  ' ',
);
const CACHE = join(ROOT, '.cache/engine');
const START_LIMIT_MS = 60_000;

/** The reason why no engine can be started here. Undefined: one can be started. */
export function whyNoDebianEngine(): string | undefined {
  if (process.platform !== 'linux') return 'a container engine needs Linux';
  if (process.getuid?.() !== 0) return 'a container engine needs root';
  const [, rights = '0'] =
    /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  // CAP_SYS_ADMIN for mounts, CAP_NET_ADMIN for networks.
  if (![21n, 12n].every((bit) => (BigInt(`0x${rights}`) >> bit) & 1n)) {
    return 'a container engine needs the rights of a privileged container';
  }
  if (!existsSync('/etc/debian_version')) return 'the engine comes from packages of Debian';
  return undefined;
}

/**
 * Starts dockerd from packages of Debian, with the base images of this service. `.cache/engine` caches them and all
 * built images. Removes the containers of an earlier run.
 */
export async function startDebianEngine(): Promise<Engine> {
  for (const [command, name] of [
    ['runc', 'runc'],
    ['iptables', 'iptables'],
    ['ip', 'iproute2'],
  ] as const) {
    ensureCommand(command, name);
  }
  const root = join(CACHE, RELEASE);
  if (!existsSync(root)) {
    const made = `${root}.${process.pid}`;
    unpackPackages(RELEASE, PACKAGES, made);
    renameSync(made, root);
  }
  const folder = mkdtempSync(join(tmpdir(), 'weather-engine-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const path of [
    'usr/bin/docker',
    'usr/bin/containerd',
    'usr/bin/containerd-shim-runc-v2',
    'usr/sbin/dockerd',
    'usr/sbin/docker-proxy',
  ]) {
    symlinkSync(join(root, path), join(bin, path.split('/').at(-1) ?? ''));
  }
  symlinkSync(join(root, 'usr/bin/tini-static'), join(bin, 'docker-init'));
  const plugins = join(root, 'usr/libexec/docker/cli-plugins');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ cliPluginsExtraDirs: [plugins] }));
  // Replaces the settings of the machine.
  writeFileSync(join(folder, 'daemon.json'), '{}');
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    DOCKER_HOST: socket,
    DOCKER_CONFIG: folder,
  };
  const log = join(folder, 'dockerd.log');
  const network = await savedNetwork();
  // Its containers end with its process 1, and no other process sees its mounts.
  const child = spawn(
    'unshare',
    // prettier-ignore
    ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', join(bin, 'docker-init'), '--', 'dockerd',
      '--host', socket, '--data-root', join(CACHE, 'data'), '--exec-root', join(folder, 'exec'),
      '--pidfile', join(folder, 'pid'),  '--config-file', join(folder, 'daemon.json')],
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
      await end(child);
      for (const restore of network) await restore();
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // `unshare` itself ignores the signal.
  process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')));
  await ended;
}

/** dockerd changes the network of this machine. These commands restore it. */
async function savedNetwork(): Promise<(() => Promise<void>)[]> {
  const run = promisify(execFile);
  const restorers: (() => Promise<void>)[] = [];
  for (const name of ['iptables', 'ip6tables']) {
    const { stdout } = await run(`${name}-save`);
    restorers.push(async () => {
      const restoring = run(`${name}-restore`);
      restoring.child.stdin?.end(stdout);
      await restoring;
    });
  }
  for (const setting of [
    'ipv4/ip_forward',
    'ipv6/conf/all/forwarding',
    'ipv6/conf/default/forwarding',
  ]) {
    const file = join('/proc/sys/net', setting);
    const before = await readFile(file, 'utf8');
    restorers.push(() => writeFile(file, before));
  }
  restorers.push(async () => {
    await run('ip', ['link', 'delete', 'docker0']);
  });
  return restorers;
}
