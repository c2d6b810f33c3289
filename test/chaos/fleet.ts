import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { startSentinelSet, type SentinelSet } from '../support/redis-sentinel.js';
import { providersAt } from '../support/service.js';
import { startStandIn, type StandIn } from '../support/stand-in.js';
import { openRelay } from '../support/relay.js';
import { launchMember, type Member } from './member.js';

export type StoreKind = 'single' | 'sentinel';

export const LIMITS = { perIp: 20, windowSeconds: 10, share: 10 };
export const REQUEST_TIMEOUT_MS = 8000;

/** All processes of one run. */
export interface Fleet {
  readonly replicas: Member[];
  readonly workers: Member[];
  readonly provider: StandIn;
  /** The server that takes writes now. */
  redis(): Promise<RedisServer>;
  /** A command of the operator's, to the server that takes writes now; its errors are thrown. */
  command<T>(run: (redis: Redis) => Promise<T>): Promise<T>;
  readonly store: StoreKind;
  addReplica(): Promise<Member>;
  addWorker(): Promise<Member>;
  stop(): Promise<void>;
}

const ENV = {
  HOST: '127.0.0.1',
  PORT: '0',
  NODE_ENV: 'production',
  SESSION_SECRET_KEY: 'test-key-'.repeat(4),
  RUN_WORKER: 'false',
  TRUST_PROXY: '1',
  RATE_LIMIT_PER_IP: String(LIMITS.perIp),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: String(LIMITS.windowSeconds),
  RATE_LIMIT_TOTAL: '0',
  REPLICAS_HINT: String(LIMITS.perIp / LIMITS.share),
  REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
  UPSTREAM_TIMEOUT_MS: '2000',
  SHUTDOWN_DELAY_MS: '300',
  SHUTDOWN_TIMEOUT_MS: '10000',
  UPSTREAM_USER_AGENT: 'chaos/1 (test)',
};

export async function startFleet(options: {
  store: StoreKind;
  replicas: number;
  workers: number;
  violated: (what: string) => void;
}): Promise<Fleet> {
  const { store, violated } = options;
  const provider = await startStandIn();
  const single = store === 'single' ? await startRedis() : undefined;
  const set: SentinelSet | undefined = single ? undefined : await startSentinelSet();
  const redis = () => (single ? Promise.resolve(single) : set!.current());
  let count = 0;

  async function launch(entry: 'server.js' | 'worker.js'): Promise<Member> {
    count += 1;
    const wire = single && (await openRelay(single.port));
    const address: Record<string, string> = wire
      ? { REDIS_URL: `redis://127.0.0.1:${wire.port}` }
      : { REDIS_SENTINELS: set!.addresses, REDIS_SENTINEL_MASTER: set!.master };
    const env = { ...ENV, ...providersAt(provider.url), ...address };
    const name = `${entry === 'server.js' ? 'replica' : 'worker'}${count}`;
    return launchMember({ name, entry, env, wire, violated });
  }
  async function add(list: Member[], entry: 'server.js' | 'worker.js'): Promise<Member> {
    const member = await launch(entry);
    list.push(member);
    return member;
  }

  const fleet: Fleet = {
    replicas: [],
    workers: [],
    provider,
    store,
    redis,
    async command(run) {
      const { port } = await redis();
      const connection = new Redis(port, '127.0.0.1', {
        retryStrategy: null,
        maxRetriesPerRequest: 0,
        commandTimeout: 10_000,
      });
      connection.on('error', () => undefined);
      try {
        return await run(connection);
      } finally {
        connection.disconnect();
      }
    },
    addReplica: () => add(fleet.replicas, 'server.js'),
    addWorker: () => add(fleet.workers, 'worker.js'),
    async stop() {
      const members = [...fleet.replicas, ...fleet.workers];
      for (const member of members) member.kill('SIGTERM');
      const killer = setTimeout(() => {
        for (const member of members) member.kill('SIGKILL');
      }, 20_000);
      await Promise.all(members.map(({ exited }) => exited));
      clearTimeout(killer);
      await provider.close();
      await (single ?? set)?.stop();
    },
  };
  for (let n = 0; n < options.replicas; n += 1) await fleet.addReplica();
  for (let n = 0; n < options.workers; n += 1) await fleet.addWorker();
  return fleet;
}
