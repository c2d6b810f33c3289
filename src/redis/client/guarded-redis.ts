import { setTimeout as sleep } from 'node:timers/promises';
import {
  BreakerOpenError,
  createCircuitBreaker,
  type Judgment,
} from '../../base/circuit-breaker.js';
import { LateReplyError, StoreUnavailableError } from '../../base/errors.js';
import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import { inTime } from '../../base/time-limit.js';
import type { Clock } from '../../weather/types.js';
import type { Names } from '../names.js';
import { cut, type RedisClient } from './connection.js';
import { createFailover } from './failover.js';
import { createHealthReporter } from './health-reporter.js';
import { watchHealth } from './health.js';
import { mastersOf, type Masters } from './masters.js';
import {
  isErrorReply,
  isLasting,
  LATE_REPLY,
  messageOf,
  NO_CONNECTION,
  WRONG_REPLY,
} from './redis-errors.js';
import { PATIENT_MS, REPLY_MS, RETRY_MS } from './timing.js';

/** How a command is sent. */
export interface SendOptions {
  /**
   * Ignores the circuit breaker, and waits up to one second. If the connection is lost meanwhile, or Redis rejects the
   * command for a reason that may pass, it is sent again: it must be idempotent.
   */
  patient?: true;
  /** Waits for this many milliseconds instead, also while Redis rejects writes. */
  waitMs?: number;
}

/** Whether the elements of a reply have the types that a script returns. */
export type ReplyCheck<Reply> = (reply: unknown[]) => reply is Reply & unknown[];

type Args = readonly (string | number)[];

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @param args a function makes the arguments for each attempt
 * @returns the elements of the reply after the first one, which repeats the last argument
 * @throws StoreUnavailableError as `command`, and if the reply is not one of this call
 */
export type Script<Reply> = (
  keys: string[],
  args: Args | (() => Args),
  options?: SendOptions,
) => Promise<Reply>;

/** Redis behind one circuit breaker: one server, the master of the sentinels, or a whole cluster. */
export type GuardedRedis = ReturnType<typeof createGuardedRedis>;

/** Only health checks close the breaker, and one command without a reply opens it. */
const BREAKER = { failuresToOpen: 1, firstOpenMs: Infinity, maxOpenMs: Infinity };

const late = () => new LateReplyError(LATE_REPLY);
/** An error reply shows that Redis works. */
function judge(error: unknown): Judgment {
  if (error instanceof LateReplyError) return { kind: 'failure', reason: error.message };
  return { kind: 'success' };
}

/** Creates the guarded access to Redis, with its health check and the report of its availability. */
export function createGuardedRedis(options: {
  client: RedisClient;
  names: Names;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}) {
  const { client, names, clock, instruments } = options;
  const masters: Masters = mastersOf(client, names.healthCheck);
  const breaker = createCircuitBreaker({ policy: BREAKER, clock, openedBy: NO_CONNECTION.message });
  const reporter = createHealthReporter(options);
  const failover = createFailover(client, names.healthCheck('0'), reporter.error);
  const health = watchHealth({ client, masters, breaker, reporter, failover });
  /** Number of the last call of a script. */
  let calls = 0;

  /**
   * Makes one write of the commands that are sent before the next tick. The client's automatic pipelining costs twice the
   * CPU time, and holds commands back while an earlier batch has no reply.
   */
  function cork(key: string): void {
    const redis = masters.connectionOf(key);
    // The library connects to a node of a cluster with the first command.
    if (redis?.status !== 'ready' || redis.stream.writableCorked > 0) return;
    const { stream } = redis;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
  }

  /** The error to throw for a command that failed. */
  function failureOf(error: unknown): StoreUnavailableError {
    if (error instanceof LateReplyError) return error;
    const message = `Redis: ${messageOf(error)}`;
    if (!isErrorReply(error)) return new LateReplyError(message, { cause: error });
    reporter.error(error);
    return new StoreUnavailableError(message, { cause: error });
  }

  async function send<T>(key: string, call: () => Promise<T>, limitMs: number): Promise<T> {
    const began = clock.monotonic();
    cork(key);
    try {
      return await inTime(call(), limitMs, late);
    } catch (error) {
      throw failureOf(error);
    } finally {
      instruments.redisReplied((clock.monotonic() - began) / 1000);
    }
  }

  async function sendPatiently<T>(
    key: string,
    call: () => Promise<T>,
    { waitMs }: SendOptions,
  ): Promise<T> {
    const until = clock.monotonic() + (waitMs ?? PATIENT_MS);
    for (;;) {
      try {
        return await send(key, call, until - clock.monotonic());
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        const isFinal = isLasting(error.cause, waitMs !== undefined);
        if (isFinal || clock.monotonic() + RETRY_MS >= until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async function command<T>(
    key: string,
    call: () => Promise<T>,
    sendOptions: SendOptions = {},
  ): Promise<T> {
    if (sendOptions.patient ?? sendOptions.waitMs) return sendPatiently(key, call, sendOptions);
    try {
      return await breaker.execute(() => send(key, call, REPLY_MS), judge, health.failed);
    } catch (error) {
      if (!(error instanceof BreakerOpenError)) throw error;
      throw new StoreUnavailableError('Redis is unavailable', { cause: error });
    }
  }

  return {
    client,
    masters,
    /**
     * Sends a command, and waits 250 ms for its reply. A command without a reply opens the circuit breaker. While it is
     * open, commands are rejected at once.
     * @param key a key that the command touches
     * @throws StoreUnavailableError if Redis is unavailable or rejects the command;
     *   LateReplyError, a subclass, if the command was sent and may still take effect
     */
    command,
    /**
     * Registers a script under a name that is unique in this process. The script must return a list, whose first element
     * is its last argument: the number of the call. A reply to another call, or of another type, ends the connection:
     * each later reply would be assigned to the wrong command, too.
     */
    script<Reply>(name: string, lua: string, isReply: ReplyCheck<Reply>): Script<Reply> {
      client.defineCommand(name, { lua });
      const run = Reflect.get(client, name) as (...args: Args) => Promise<unknown>;
      return (keys, args, sendOptions) => {
        const call = async () => {
          const number = String((calls += 1));
          const given = typeof args === 'function' ? args() : args;
          const reply = await run.call(client, keys.length, ...keys, ...given, number);
          const [repeated, ...elements] = Array.isArray(reply) ? (reply as unknown[]) : [];
          if (repeated === number && isReply(elements)) return elements;
          cut(client);
          throw new Error(WRONG_REPLY);
        };
        return command(keys[0] ?? '', call, sendOptions);
      };
    },
    /**
     * Reports what a command on another connection, or background work, has thrown. Each kind of message is logged at
     * most once in 30 s. Nothing else may swallow an error of Redis.
     */
    report: reporter.error,
    /** Whether Redis takes writes, as far as is known. */
    isWritable: (): boolean => health.isWritable,
    /** Whether Redis is available, debounced: for readiness. */
    get isUp(): boolean {
      return health.wasReached && !reporter.isDown;
    },
    /** Whether Redis was available at least once since the start of the process. */
    get wasReached(): boolean {
      return health.wasReached;
    },
    close(): void {
      health.stop();
      client.disconnect();
    },
  };
}
