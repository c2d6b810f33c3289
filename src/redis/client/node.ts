import type { Redis } from 'ioredis';
import { createCircuitBreaker, type CircuitBreakerPolicy } from '../../circuit-breaker.js';
import { LateReplyError, StoreUnavailableError } from '../../errors.js';
import { inTime, startTimer } from '../../time-limit.js';
import type { Clock } from '../../weather/types.js';
import {
  faultOf,
  isErrorReply,
  LATE_REPLY,
  messageOf,
  NO_CONNECTION,
  WRONG_REPLY,
  type RedisFault,
} from './redis-errors.js';

/**
 * Milliseconds in which Redis must reply. Longer: a hung Redis delays more requests. Shorter: a busy Redis
 * is declared unavailable.
 */
export const REPLY_MS = 250;
/**
 * Milliseconds after which a connection without any reply is reset. Longer: a frozen master is left later.
 * Shorter: a transient delay costs the connection, and the replies that it would still bring.
 */
const SILENT_CONNECTION_MS = 1000;

/** One command without a reply opens the breaker, and the first health check with a reply closes it. */
const BREAKER: CircuitBreakerPolicy = { failuresToOpen: 1, firstOpenMs: 0, maxOpenMs: Infinity };

/**
 * Writes, reads, and runs as a script. KEYS: written, with a TTL of ten seconds. ARGV: a token that the reply
 * repeats, so that a reply to another command is noticed. Replies: the token, and why Redis rejects the write, or an
 * empty string.
 */
export const HEALTH_CHECK = `
local rejection = ''
for _, key in ipairs(KEYS) do
  local reply = redis.pcall('SET', key, '', 'PX', 10000)
  if reply.err then rejection = reply.err end
  redis.call('EXISTS', key)
end
return {ARGV[1], rejection}`;

export type RedisNode = ReturnType<typeof createRedisNode>;

/**
 * Creates the state of one connection to a Redis server that serves keys: its circuit breaker and its fault.
 * The breaker is open until the first health check succeeds. After a connection was lost, the next connection
 * gets a new object: commands that the earlier connection lost do not count against it.
 * @param options.onError called with each error reply to a command, and if a health check may not write
 * @param options.onEnd called with the duration of each command in milliseconds, with a reply or without
 */
export function createRedisNode(
  redis: Redis,
  options: {
    clock: Clock;
    onError: (error: unknown) => void;
    onEnd: (tookMs: number) => void;
  },
) {
  const { clock, onError, onEnd } = options;
  const breaker = createCircuitBreaker({ policy: BREAKER, clock });
  /** Why the breaker is open or, while it is closed, why the node takes no writes. */
  let fault: RedisFault | undefined = NO_CONNECTION;
  let isCheckInFlight = false;
  let isCorked = false;
  let checks = 0;
  breaker.failed('closed', NO_CONNECTION.message);

  const late = () => new LateReplyError(LATE_REPLY);

  /** Ends the connection so that nothing arrives that was sent over it and not yet delivered. */
  function reset(): void {
    const { stream } = redis;
    // Node.js does not reset a TLS connection.
    if ('encrypted' in stream) stream.destroy();
    else stream.resetAndDestroy();
  }

  /**
   * Makes one write of the commands that are sent before the next tick. The client's automatic pipelining
   * costs twice the CPU time, and holds commands back while an earlier batch has no reply.
   */
  function cork(): void {
    // The library connects to a node of a cluster with the first command.
    if (isCorked || redis.status !== 'ready') return;
    const { stream } = redis;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  }

  /** The error to throw for a command that failed. */
  function failureOf(error: unknown): StoreUnavailableError {
    if (error instanceof LateReplyError) {
      if (breaker.failed('closed', error.message)) fault = faultOf(error);
      return error;
    }
    const message = `Redis: ${messageOf(error)}`;
    if (!isErrorReply(error)) return new LateReplyError(message, { cause: error });
    onError(error);
    return new StoreUnavailableError(message, { cause: error });
  }

  /**
   * Reads why Redis rejects writes from the reply to a health check. Resets the connection if the reply has a wrong shape: each later reply
   * would be assigned to the wrong command.
   * @throws Error if the reply has a wrong shape
   */
  function rejectionIn(reply: unknown, token: string): string {
    const [echo, rejection] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (echo !== token || typeof rejection !== 'string') {
      reset();
      throw new Error(WRONG_REPLY);
    }
    return rejection;
  }

  return {
    redis,
    reset,
    /** Whether the breaker is closed. */
    get isAvailable(): boolean {
      return breaker.isClosed;
    },
    get isWritable(): boolean {
      return breaker.isClosed && !fault;
    },
    /** Why the node is unavailable or takes no writes. */
    get fault(): RedisFault | undefined {
      return fault;
    },
    /**
     * Sends a command, also while the breaker is open, and waits `limitMs` milliseconds for its reply.
     * @throws StoreUnavailableError
     */
    async run<T>(command: () => Promise<T>, limitMs: number): Promise<T> {
      const began = clock.monotonic();
      cork();
      try {
        return await inTime(command(), limitMs, late);
      } catch (error) {
        throw failureOf(error);
      } finally {
        onEnd(clock.monotonic() - began);
      }
    },
    /**
     * Sends a health check, and opens or closes the breaker.
     * @param keys of the node, which are written
     */
    async check(keys: readonly string[]): Promise<void> {
      // Another health check would only wait behind the one before.
      if (isCheckInFlight) return;
      isCheckInFlight = true;
      checks += 1;
      const token = String(checks);
      const call = breaker.startCall();
      const stopTimer = startTimer(SILENT_CONNECTION_MS, reset);
      const reply = redis.eval(HEALTH_CHECK, keys.length, ...keys, token).finally(() => {
        stopTimer();
        isCheckInFlight = false;
      });
      try {
        const rejection = rejectionIn(await inTime(reply, REPLY_MS, late), token);
        const rejected = rejection === '' ? undefined : new Error(rejection);
        if (rejected) onError(rejected);
        breaker.succeeded(call);
        if (breaker.isClosed) fault = rejected && faultOf(rejected);
      } catch (error) {
        fault = faultOf(error as Error);
        breaker.failed(call, fault.message);
      }
    },
  };
}
