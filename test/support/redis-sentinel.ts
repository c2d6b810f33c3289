import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { watchOver } from './child-processes.js';
import { eventually } from './eventually.js';
import { administer, freePort, startRedis, type RedisServer } from './redis-server.js';
import type { Certificate } from './certificate.js';
import { asArguments, tlsSettings } from './redis-tls.js';

export interface SentinelSet {
  /** `host:port,…` as in `REDIS_SENTINELS`. */
  readonly addresses: string;
  readonly master: string;
  /** The master and its replica. They may exchange their roles. */
  readonly servers: RedisServer[];
  /** The present master, by the sentinels. */
  current(): Promise<RedisServer>;
  stop(): Promise<void>;
}

const MASTER = 'weather';
const SENTINELS = 3;
/** `down-after-milliseconds` of the sentinels. */
const DOWN_AFTER_MS = 1000;
const START_LIMIT_MS = 20_000;

export interface SentinelOptions {
  /** With it, the ports of `addresses` and those that the sentinels return use TLS. */
  certificate?: Certificate;
  serverPassword?: string;
  sentinelPassword?: string;
}

/** A master with a replica, watched by three sentinels. */
export async function startSentinelSet(options: SentinelOptions = {}): Promise<SentinelSet> {
  const { certificate, serverPassword = '', sentinelPassword = '' } = options;
  /** Tests use the port without TLS. */
  const tls = async () => {
    const tlsPort = certificate && (await freePort());
    return { tlsPort, settings: tlsPort ? tlsSettings(certificate, tlsPort) : [] };
  };
  async function startServer(): Promise<{ server: RedisServer; port: number }> {
    const { tlsPort, settings } = await tls();
    settings.push(['requirepass', serverPassword], ['masterauth', serverPassword]);
    const server = await startRedis({ args: asArguments(settings) });
    return { server, port: tlsPort ?? server.port };
  }
  const members = [await startServer(), await startServer()] as const;
  const [first, second] = members;
  const masterPort = first.port;
  const servers = members.map(({ server }) => server);
  const folder = await mkdtemp(join(tmpdir(), 'weather-sentinel-'));
  const follow = (redis: Redis) => redis.replicaof('127.0.0.1', masterPort);
  await administer(second.server, follow, serverPassword);

  const ports: number[] = [];
  const addresses: string[] = [];
  const children: ChildProcess[] = [];
  for (let n = 0; n < SENTINELS; n += 1) {
    // Both ports at the same time, so that they differ.
    const [port, { tlsPort, settings }] = await Promise.all([freePort(), tls()]);
    if (sentinelPassword) settings.push(['requirepass', sentinelPassword]);
    const file = join(folder, `sentinel-${n}.conf`);
    await writeFile(
      file,
      `port ${port}\nbind 127.0.0.1\ndir ${folder}\n` +
        settings.map(([name, value]) => `${name} ${value}\n`).join('') +
        `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2\n` +
        (serverPassword && `sentinel auth-pass ${MASTER} ${serverPassword}\n`) +
        `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}\n` +
        `sentinel failover-timeout ${MASTER} 4000\n`,
    );
    ports.push(port);
    addresses.push(`127.0.0.1:${tlsPort ?? port}`);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    watchOver(child);
    children.push(child);
  }

  const set: SentinelSet = {
    addresses: addresses.join(','),
    master: MASTER,
    servers,
    async current() {
      const [, port] = (await administer(
        { port: ports[0]! },
        (redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER),
        sentinelPassword,
      )) as [string, string];
      const member = members.find((candidate) => candidate.port === Number(port));
      if (!member) throw new Error(`the sentinels name an unknown master at port ${port}`);
      return member.server;
    },
    async stop() {
      for (const child of children) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await ended;
      }
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  await agreed(ports, sentinelPassword);
  return set;
}

/** Waits until each sentinel knows the replica and the other sentinels. A failover is impossible before. */
async function agreed(ports: number[], password: string): Promise<void> {
  for (const port of ports) {
    const knowsAll = async () => {
      const fields = (await administer(
        { port },
        (redis) => redis.call('SENTINEL', 'MASTER', MASTER),
        password,
      ).catch(() => [])) as string[];
      const known = (name: string) => Number(fields[fields.indexOf(name) + 1]);
      return known('num-slaves') === 1 && known('num-other-sentinels') === SENTINELS - 1;
    };
    await eventually(knowsAll, `a sentinel at port ${port} that knows all`, START_LIMIT_MS);
  }
}
