import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOver } from './child-processes.js';
import { eventually } from './eventually.js';
import { administer, freePort, startRedis, type RedisServer } from './redis-server.js';

const MASTER = 'weather';
const SENTINELS = 3;
/** `down-after-milliseconds` of the sentinels. */
const DOWN_AFTER_MS = 1000;
const START_LIMIT_MS = 20_000;

/** A master with a replica, watched by three sentinels. */
export async function startSentinelSet() {
  const servers = [await startRedis(), await startRedis()];
  const [{ port: masterPort }, second] = servers as [RedisServer, RedisServer];
  const folder = await mkdtemp(join(tmpdir(), 'weather-sentinel-'));
  await administer(second, (redis) => redis.replicaof('127.0.0.1', masterPort));

  const ports: number[] = [];
  const children: ChildProcess[] = [];
  for (let n = 0; n < SENTINELS; n += 1) {
    const port = await freePort();
    const file = join(folder, `sentinel-${n}.conf`);
    await writeFile(
      file,
      `port ${port}\nbind 127.0.0.1\ndir ${folder}\n` +
        `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2\n` +
        `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}\n` +
        `sentinel failover-timeout ${MASTER} 4000\n`,
    );
    ports.push(port);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    watchOver(child);
    children.push(child);
  }

  await agreed(ports);
  return {
    /** `host:port,…` as in `REDIS_SENTINELS`. */
    addresses: ports.map((port) => `127.0.0.1:${port}`).join(','),
    master: MASTER,
    /** The first master and its replica. */
    servers,
    /** The current master, by the sentinels. */
    current: async () => {
      const [, port] = (await administer({ port: ports[0]! }, (redis) =>
        redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER),
      )) as [string, string];
      const server = servers.find((candidate) => candidate.port === Number(port));
      if (!server) throw new Error(`the sentinels name an unknown master at port ${port}`);
      return server;
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
}

/** Waits until each sentinel knows the replica and all sentinels. Before, no failover works. */
async function agreed(ports: number[]): Promise<void> {
  for (const port of ports) {
    const knowsAll = async () => {
      const fields = (await administer({ port }, (redis) =>
        redis.call('SENTINEL', 'MASTER', MASTER),
      ).catch(() => [])) as string[];
      const known = (name: string) => Number(fields[fields.indexOf(name) + 1]);
      return known('num-slaves') === 1 && known('num-other-sentinels') === SENTINELS - 1;
    };
    await eventually(knowsAll, `a sentinel at port ${port} that knows all`, START_LIMIT_MS);
  }
}
