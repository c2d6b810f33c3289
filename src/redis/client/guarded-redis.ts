import { createCircuitBreaker } from '../../base/circuit-breaker.js';
import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { Names } from '../names.js';
import { createBatcher, type Batcher, type BatchItem } from './batcher.js';
import { createSendCommand } from './command.js';
import { cut, type RedisClient } from './connection.js';
import { createFailover } from './failover.js';
import { createHealthReporter } from './health-reporter.js';
import { watchHealth } from './health.js';
import { mastersOf } from './masters.js';
import { NO_CONNECTION, WRONG_REPLY } from './redis-errors.js';

/** Whether the elements of a reply have the types that a script returns. */
export type ReplyCheck<Reply> = (reply: unknown[]) => reply is Reply & unknown[];

interface Types {
  string: string;
  number: number;
}

/** Creates a check that a reply consists of elements of these types. */
export function replyOf<const Names extends readonly (keyof Types)[]>(...names: Names) {
  type Reply = { -readonly [I in keyof Names]: Types[Names[I]] };
  return (reply: unknown[]): reply is Reply & unknown[] =>
    reply.length === names.length && names.every((name, i) => typeof reply[i] === name);
}

type Args = readonly (string | number)[];

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @param args a function makes the arguments for each attempt
 * @returns the elements of the reply after the first one, which repeats the last argument
 * @param waitMs as for `command`
 * @throws StoreUnavailableError as `command`, and if the reply is not one of this call
 */
export type Script<Reply> = (
  keys: string[],
  args: Args | (() => Args),
  waitMs?: number,
) => Promise<Reply>;

/** Redis behind one circuit breaker: one server, the master of the sentinels, or a whole cluster. */
export type GuardedRedis = ReturnType<typeof createGuardedRedis>;

/** Only health checks close the breaker, and one command without a reply opens it. */
const BREAKER = { failuresToOpen: 1, firstOpenMs: Infinity, maxOpenMs: Infinity };

/** Creates the guarded access to Redis, with its health check and the report of its availability. */
export function createGuardedRedis(options: {
  client: RedisClient;
  names: Names;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}) {
  const { client, names, clock, instruments } = options;
  const masters = mastersOf(client, names.healthCheck);
  const breaker = createCircuitBreaker({ policy: BREAKER, clock, openedBy: NO_CONNECTION.message });
  const reporter = createHealthReporter(options);
  const report = reporter.error;
  const failover = createFailover(client, names.healthCheck('0'), report);
  const health = watchHealth({ client, masters, breaker, reporter, failover });
  const command = createSendCommand({
    ...{ masters, breaker, clock, instruments, report, onOpen: health.failed },
  });
  /** Number of the last call of a script. */
  let calls = 0;

  return {
    client,
    masters,
    command,
    /**
     * Registers a script under a name that is unique in this process. The script must return a list, whose first element
     * is its last argument: the number of the call. A reply to another call, or of another type, ends the connection:
     * each later reply would be assigned to the wrong command, too.
     */
    script<Reply>(name: string, lua: string, isReply: ReplyCheck<Reply>): Script<Reply> {
      client.defineCommand(name, { lua });
      const run = Reflect.get(client, name) as (...args: Args) => Promise<unknown>;
      return (keys, args, waitMs) => {
        const call = async () => {
          const number = String((calls += 1));
          const given = typeof args === 'function' ? args() : args;
          const reply = await run.call(client, keys.length, ...keys, ...given, number);
          const [repeated, ...elements] = Array.isArray(reply) ? (reply as unknown[]) : [];
          if (repeated === number && isReply(elements)) return elements;
          cut(client);
          throw new Error(WRONG_REPLY);
        };
        return command(keys[0] ?? '', call, waitMs);
      };
    },
    /**
     * Sends the items of one event loop iteration by one call of a script. In a cluster, there is a call for each slot.
     * @param send calls the script; returns the results in the order of the items; if it throws, all items fail
     */
    batchedScript: <Item extends BatchItem, Result>(
      send: (items: Item[]) => Promise<Result[]>,
    ): Batcher<Item, Result> => createBatcher({ send, groupOf: masters.groupOf }),
    /**
     * Reports what a command on another connection, or background work, has thrown. Each kind of message is logged at
     * most once in 30 s. Nothing else may swallow an error of Redis.
     */
    report,
    isWritable: health.isWritable,
    state: health.state,
    close(): void {
      health.stop();
      client.disconnect();
    },
  };
}
