import { setTimeout as sleep } from 'node:timers/promises';
import {
  BreakerOpenError,
  type CircuitBreaker,
  type Judgment,
} from '../../base/circuit-breaker.js';
import { LateReplyError, StoreUnavailableError } from '../../base/errors.js';
import type { Instruments } from '../../base/instruments.js';
import { inTime } from '../../base/time-limit.js';
import type { Clock } from '../../weather/types.js';
import type { Masters } from './masters.js';
import { isErrorReply, isUnexpected, LATE_REPLY, messageOf } from './redis-errors.js';
import { REPLY_MS, RETRY_MS } from './timing.js';

/**
 * Sends a command, and waits 250 ms for its reply. A command without a reply opens the circuit breaker. While it is
 * open, commands are rejected at once.
 * @param key a key that the command touches
 * @param waitMs makes a patient command, which ignores the circuit breaker, and waits for this many milliseconds. It is
 *   sent again if the connection is lost meanwhile, or if Redis rejects it because of its state, as during a failover: it
 *   must be idempotent
 * @throws StoreUnavailableError if Redis is unavailable or rejects the command;
 *   LateReplyError, a subclass, if the command was sent and may still take effect
 */
export type SendCommand = <T>(key: string, call: () => Promise<T>, waitMs?: number) => Promise<T>;

const late = () => new LateReplyError(LATE_REPLY);

/** An error reply shows that Redis works. */
function judge(error: unknown): Judgment {
  if (error instanceof LateReplyError) return { kind: 'failure', reason: error.message };
  return { kind: 'success' };
}

/**
 * Creates the one way in which commands of requests are sent.
 * @param options.report reports what a command has thrown
 * @param options.onOpen takes the error of a command that has opened the breaker
 */
export function createSendCommand(options: {
  masters: Pick<Masters, 'connectionOf'>;
  breaker: CircuitBreaker;
  clock: Pick<Clock, 'monotonic'>;
  instruments: Instruments;
  report: (error: unknown) => void;
  onOpen: (error: unknown) => void;
}): SendCommand {
  const { masters, breaker, clock, instruments, report, onOpen } = options;

  /**
   * Makes one write of the commands that are sent before the next tick. The client's automatic pipelining costs twice the
   * CPU time, and holds commands back while an earlier batch has no reply (https://github.com/redis/ioredis/issues/1239
   * and 1608).
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
    report(error);
    const message = `Redis: ${messageOf(error)}`;
    if (isErrorReply(error)) return new StoreUnavailableError(message, { cause: error });
    // The connection was lost, and the command may have been sent.
    return new LateReplyError(message, { cause: error });
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

  async function sendPatiently<T>(key: string, call: () => Promise<T>, waitMs: number): Promise<T> {
    const until = clock.monotonic() + waitMs;
    for (;;) {
      try {
        return await send(key, call, until - clock.monotonic());
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (isUnexpected(error.cause) || clock.monotonic() + RETRY_MS >= until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  return async (key, call, waitMs) => {
    if (waitMs !== undefined) return sendPatiently(key, call, waitMs);
    try {
      return await breaker.execute(() => send(key, call, REPLY_MS), judge, onOpen);
    } catch (error) {
      if (!(error instanceof BreakerOpenError)) throw error;
      throw new StoreUnavailableError('Redis is unavailable', { cause: error });
    }
  };
}
