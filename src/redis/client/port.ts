import type { RedisClient } from './connection.js';
import type { Topology } from './topology.js';

/** How a command is sent. */
export interface SendOptions {
  /**
   * Ignores the circuit breaker, and waits up to one second. If the connection is lost meanwhile, or Redis
   * rejects the command for a reason that may pass, it is sent again: it must be idempotent.
   */
  patient?: true;
}

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @returns the elements of the reply after the first one, which repeats the last argument
 * @throws StoreUnavailableError as `RedisStore.run`, and if the reply is not one of this call
 */
export type Script<Reply> = (
  keys: string[],
  args: (string | number)[],
  options?: SendOptions,
) => Promise<Reply>;

/** Whether the elements of a reply have the types that a script returns. */
export type ReplyCheck<Reply> = (reply: unknown[]) => reply is Reply & unknown[];

/** Redis, as the adapters of `redis/` use it. */
export interface RedisStore {
  readonly client: RedisClient;
  readonly topology: Topology;
  /**
   * Sends a command, and waits 250 ms for its reply. A command without a reply opens the circuit breaker
   * of its node. While it is open, commands are rejected at once.
   * @param key a key that the command touches. In a cluster it names the node
   * @throws StoreUnavailableError if the node is unavailable or rejects the command;
   *   LateReplyError, a subclass, if the command was sent and may still take effect
   */
  run<T>(
    key: string,
    command: (client: RedisClient) => Promise<T>,
    options?: SendOptions,
  ): Promise<T>;
  /**
   * Registers a script under a name that is unique in this process. The script must return a list, whose first element
   * is its last argument: the number of the call. A reply to another call, or of another type, ends the connection:
   * each later reply would be assigned to the wrong command, too.
   */
  script<Reply>(name: string, lua: string, isReply: ReplyCheck<Reply>): Script<Reply>;
  /**
   * Reports what a command on another connection, or background work, has thrown. Each kind of message is logged at most
   * once in 30 s. Nothing else may swallow an error of Redis.
   */
  readonly report: (error: unknown) => void;
  /** Whether the node of a key takes writes, as far as is known. Sends nothing. */
  isWritable(key: string): boolean;
  /** Whether Redis is available, debounced: for readiness. Sends nothing. */
  readonly isUp: boolean;
  /** Whether Redis was available at least once since the start of the process. */
  readonly wasReached: boolean;
  close(): void;
}
