import type { Cluster, Redis } from 'ioredis';
import type { Scope } from '../../weather/scope.js';

/** A connection to Redis of any of the three kinds (single, Sentinel, Cluster). */
export type RedisClient = Redis | Cluster;

/** A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster. */
export type Script = (keys: string[], args: (string | number)[], scope?: Scope) => Promise<unknown>;

/** A key that is read in the background. */
export interface Watched {
  /** What it held when it was read last; null: it did not exist; undefined: never read yet. */
  readonly value: string | null | undefined;
  stop(): void;
}

/** What the adapters of this folder build on: commands under a time limit, on nodes that are well. */
export interface RedisStore {
  readonly client: RedisClient;
  /**
   * Runs one command. It waits at most for what is left of the scope's store time, and never longer
   * than `NODE_PATIENCE_MS`. While the node of the key is unavailable it does not wait at all.
   * @param key the key that the command touches: in a cluster it names the node
   * @throws StoreUnavailableError when the node is unavailable, too slow, or refuses the command
   */
  run<T>(key: string, command: (client: RedisClient) => Promise<T>, scope?: Scope): Promise<T>;
  /** Registers a script under a name that is unique in this process. */
  script(name: string, lua: string): Script;
}
