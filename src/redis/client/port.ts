import type { Cluster, Redis } from 'ioredis';
import type { StoreTime } from '../../weather/scope.js';
import type { AtEndOfTurn } from '../turn.js';
import type { Topology } from './topology.js';

/** A connection to Redis of any of the three kinds (single, Sentinel, Cluster). */
export type RedisClient = Redis | Cluster;

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @param time from which the wait takes; without it, a quarter of a second
 */
export type Script = (
  keys: string[],
  args: (string | number)[],
  time?: StoreTime,
) => Promise<unknown>;

/** A script as a bare command: nobody limits its time. */
export type Command = (keys: string[], args: (string | number)[]) => Promise<unknown>;

/** What the adapters of this folder build on. */
export interface RedisStore {
  readonly client: RedisClient;
  readonly topology: Topology;
  /**
   * Its wait takes from the time. While the node of the key is unavailable there is no wait.
   * @param key the key that the command touches: in a cluster it names the node
   * @throws StoreUnavailableError when the node is unavailable or refuses the command;
   *   LateReplyError, which is one, when the command was sent and may still take effect
   */
  run<T>(key: string, command: (client: RedisClient) => Promise<T>, time?: StoreTime): Promise<T>;
  /** Registers a script under a name that is unique in this process. */
  script(name: string, lua: string): Script;
  /** The same as a bare command, for `run`. */
  command(name: string, lua: string): Command;
  /** What is sent then is one write, together with the commands of the turn. */
  readonly atEndOfTurn: AtEndOfTurn;
  /**
   * Reports an error that the store does not see: one that a script has caught, or one on another
   * connection.
   * @param name the key or the channel that the command was about
   * @returns whether a rule of the access list is missing
   */
  report(message: string, name: string): boolean;
  /**
   * Whether the node of a key takes writes now, as far as is known. Asks nobody.
   * @param agoMs one that nothing was wrong with so many milliseconds ago counts, too
   */
  isWritable(key: string, agoMs?: number): boolean;
  /** The clock of one node, the same for all processes, in milliseconds since the Unix epoch. */
  now(): number;
  /** Whether Redis can be used; trouble that has not lasted counts for nothing. Asks nobody. */
  readonly isUp: boolean;
  /** Whether Redis was reached once since the start. */
  readonly wasReached: boolean;
  close(): void;
}
