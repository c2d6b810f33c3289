import type { Cluster, Redis } from 'ioredis';
import type { Scope } from '../../weather/scope.js';

/** A connection to Redis of any of the three kinds (single, Sentinel, Cluster). */
export type RedisClient = Redis | Cluster;

/** A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster. */
export type Script = (keys: string[], args: (string | number)[], scope?: Scope) => Promise<unknown>;

/** What the adapters of this folder build on: commands under a breaker and a time limit. */
export interface RedisStore {
  readonly client: RedisClient;
  /**
   * Runs one command. Never waits longer than the scope (or the store's own limit when none is
   * given), and not at all while the breaker of the key's node is open.
   * @param key the key that the command touches: in a cluster it names the node
   * @throws StoreUnavailableError when Redis is away, too slow, or refuses writes
   */
  run<T>(key: string, command: (client: RedisClient) => Promise<T>, scope?: Scope): Promise<T>;
  /** Registers a script under a name that is unique in this process. */
  script(name: string, lua: string): Script;
}
