import { setTimeout as sleep } from 'node:timers/promises';
import { createCircuitBreaker } from '../../base/circuit-breaker.js';
import { StoreUnavailableError } from '../../base/errors.js';
import type { Instruments } from '../../base/instruments.js';
import { inTime } from '../../base/time-limit.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { Names } from '../names.js';
import { atEndOfIteration } from './batcher.js';
import { connectionsOf, type RedisClient } from './connection.js';
import { createHealthReporter } from './health-reporter.js';
import { watchHealth } from './health.js';
import { mastersOf } from './masters.js';
import {
  isErrorReply,
  isUnexpected,
  NoReplyError,
  lateReply,
  messageOf,
  NO_CONNECTION,
} from './redis-errors.js';
import { createScripts } from './script.js';
import { REPLY_MS, RETRY_MS } from './timing.js';

/** Redis behind one circuit breaker: a server, the master of sentinels, or a cluster. */
export type GuardedRedis = ReturnType<typeof createGuardedRedis>;

/** Only health checks close the breaker, and one command without a reply opens it. */
const BREAKER = { failuresToOpen: 1, firstOpenMs: Infinity, maxOpenMs: Infinity };

function failureOf(error: unknown): StoreUnavailableError {
  if (error instanceof NoReplyError) return error;
  const message = `Redis: ${messageOf(error)}`;
  if (isErrorReply(error)) return new StoreUnavailableError(message, { cause: error });
  // There was no connection, or it was lost and the command may have been sent.
  return new NoReplyError(message, { cause: error });
}

/**
 * Creates a function that joins the writes of an event loop iteration. With a write for each
 * command, a miss takes 8 writes instead of 5, and 5 reads of Redis instead of 2, with 64 requests
 * in flight.
 */
function createWriteJoiner(client: RedisClient) {
  let isJoining = false;
  return (): void => {
    if (isJoining) return;
    isJoining = true;
    const streams = connectionsOf(client).map(({ stream }) => stream);
    for (const stream of streams) stream?.cork();
    atEndOfIteration(() => {
      isJoining = false;
      for (const stream of streams) stream?.uncork();
    });
  };
}

/** Creates the access to Redis, with its health check and the report of its availability. */
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
  const health = watchHealth({ client, masters, breaker, reporter });
  const joinWrites = createWriteJoiner(client);

  /**
   * Sends a command once.
   * @param opensBreaker whether a missing reply opens the circuit breaker
   * @throws StoreUnavailableError
   */
  async function send<T>(
    call: () => Promise<T>,
    limitMs: number,
    opensBreaker: boolean,
  ): Promise<T> {
    const began = clock.monotonic();
    joinWrites();
    const reply = call();
    try {
      return await inTime(reply, limitMs, lateReply);
    } catch (error) {
      reporter.error(error);
      const failure = failureOf(error);
      // An error reply shows that Redis works.
      const isMissing = failure instanceof NoReplyError;
      if (isMissing && opensBreaker && breaker.isClosed) health.failed(failure);
      throw failure;
    } finally {
      instruments.redisReplied((clock.monotonic() - began) / 1000);
    }
  }

  async function sendPatiently<T>(call: () => Promise<T>, waitMs: number): Promise<T> {
    const until = clock.monotonic() + waitMs;
    for (;;) {
      try {
        return await send(call, until - clock.monotonic(), false);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (isUnexpected(error.cause) || clock.monotonic() + RETRY_MS >= until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /**
   * Sends a command, and waits 250 ms for its reply. A command without a reply opens the circuit
   * breaker. While it is open, commands are rejected at once.
   * @param waitMs makes a patient command, which ignores the circuit breaker, and waits for this
   *   many milliseconds. It is sent again if the connection is lost meanwhile, or if Redis rejects
   *   it because of its state, as during a failover: it must be idempotent
   * @throws StoreUnavailableError if Redis is unavailable or rejects the command. Without a reply,
   *   the command may still take effect
   */
  function command<T>(call: () => Promise<T>, waitMs?: number): Promise<T> {
    if (waitMs !== undefined) return sendPatiently(call, waitMs);
    if (!breaker.isClosed) return Promise.reject(new StoreUnavailableError('Redis is unavailable'));
    return send(call, REPLY_MS, true);
  }

  return {
    client,
    masters,
    command,
    script: createScripts(client, command),
    /** Takes an error of another connection or of background work. No other code may drop one. */
    report: reporter.error,
    lost: reporter.lost,
    isWritable: health.isWritable,
    state: health.state,
    close: (): void => {
      health.stop();
      client.disconnect();
    },
  };
}
