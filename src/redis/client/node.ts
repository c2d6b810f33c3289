import type { Redis } from 'ioredis';
import { createCircuitBreaker, type CircuitBreakerPolicy } from '../../circuit-breaker.js';
import { LateReplyError, StoreUnavailableError } from '../../errors.js';
import { inTime, startTimer } from '../../time-limit.js';
import type { Clock } from '../../weather/types.js';
import type { TimeReply } from './clock-estimate.js';
import type { AtEndOfTurn } from '../turn.js';
import {
  faultOfConnection,
  faultOfReply,
  isErrorReply,
  isForbidden,
  messageOf,
  type RedisFault,
} from './redis-errors.js';

/**
 * Milliseconds in which Redis must reply. Longer: a hung Redis delays more requests. Shorter: a busy Redis
 * is declared unavailable.
 */
export const REPLY_MS = 250;
/**
 * Milliseconds for which a patient command waits for its reply. Longer: clients wait longer for a 503.
 * Shorter: a transient delay of Redis becomes a 503.
 */
export const PATIENT_REPLY_MS = 1000;
/**
 * Milliseconds after which a connection without any reply is given up. Longer: a frozen master is left
 * later. Shorter: a transient delay costs the connection, and the replies that it would still bring.
 */
const SILENT_CONNECTION_MS = 1000;

/** One command without a reply opens the breaker, and the first health check with a reply closes it. */
const BREAKER: CircuitBreakerPolicy = { failuresToOpen: 1, firstOpenMs: 0, maxOpenMs: 0 };

/**
 * Writes, reads, and runs as a script. KEYS: written, with a TTL of ten seconds. ARGV: a token that the reply
 * repeats, so that a reply to another command is noticed. Replies: the token, the clock, and why Redis
 * refuses the write, or an empty string.
 */
export const HEALTH_CHECK = `
local refused = ''
for _, key in ipairs(KEYS) do
  local reply = redis.pcall('SET', key, '', 'PX', 10000)
  if reply.err then refused = reply.err end
  redis.call('GET', key)
end
local time = redis.call('TIME')
return {ARGV[1], time[1], time[2], refused}`;

export type RedisNode = ReturnType<typeof createRedisNode>;

/**
 * One Redis server that serves keys, with its circuit breaker.
 * @param onError called with an error reply that is not about the availability of the node
 * @param onEnd called with the milliseconds after which a command has ended, with a reply or without
 */
export function createRedisNode(options: {
  clock: Clock;
  atEndOfTurn: AtEndOfTurn;
  onError: (error: unknown) => void;
  onEnd: (tookMs: number) => void;
}) {
  const { clock, atEndOfTurn, onError, onEnd } = options;
  const breaker = createCircuitBreaker({ policy: BREAKER, clock });
  const noConnection: RedisFault = { reason: 'no_connection', message: 'Redis is not connected' };
  let connection: Redis | undefined;
  /** Counts connections: a client that connects again is the same object. */
  let connections = 0;
  /** Why the breaker is open. */
  let fault: RedisFault | undefined = noConnection;
  /** Why the node takes no writes, although it replies. */
  let writeFault: RedisFault | undefined;
  let isCheckInFlight = false;
  let checks = 0;
  let corked: Redis['stream'] | undefined;
  breaker.failed('closed', noConnection.message);

  const late = () => new LateReplyError('Redis did not reply in time');

  function open(cause: RedisFault): void {
    if (!breaker.isClosed) return;
    fault = cause;
    breaker.failed('closed', cause.message);
  }

  /**
   * Makes one system call of all commands of an event loop iteration. The client's automatic pipelining
   * costs twice the CPU time, and holds commands back while an earlier batch has no reply.
   */
  function cork(): void {
    if (corked || connection?.status !== 'ready') return;
    const { stream } = connection;
    stream.cork();
    corked = stream;
    atEndOfTurn(() => {
      // After everything that is sent at the end of this iteration.
      process.nextTick(() => {
        stream.uncork();
      });
      corked = undefined;
    });
  }

  /**
   * @param sentOver the connection at the time of sending, as counted by `connections`
   * @returns the error to throw for a command that failed
   */
  function failureOf(error: unknown, sentOver: number): StoreUnavailableError {
    if (error instanceof LateReplyError) {
      // A command that was lost with an earlier connection does not blame the present one.
      if (sentOver === connections) open({ reason: 'no_reply', message: error.message });
      return error;
    }
    const message = `Redis: ${messageOf(error)}`;
    if (!isErrorReply(error)) return new LateReplyError(message, { cause: error });
    if (faultOfReply(messageOf(error)).reason === 'refused') onError(error);
    return new StoreUnavailableError(message, { cause: error });
  }

  function readCheck(reply: unknown, token: string, sentAt: number, redis: Redis): TimeReply {
    const [echo, seconds, microseconds, refused] = Array.isArray(reply) ? (reply as unknown[]) : [];
    const redisMs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    if (echo !== token || typeof refused !== 'string' || !Number.isFinite(redisMs)) {
      // Later replies would be taken for those of other commands.
      reset(redis);
      throw new Error('Redis sent a reply of a wrong shape');
    }
    writeFault = refused === '' ? undefined : faultOfReply(refused);
    if (isForbidden(refused)) onError(new Error(refused));
    return { redisMs, sentAt, receivedAt: clock.monotonic() };
  }

  return {
    get isConnected() {
      return connection !== undefined;
    },
    /** Whether commands are sent. */
    get isAvailable() {
      return breaker.isClosed;
    },
    get isWritable() {
      return breaker.isClosed && writeFault === undefined;
    },
    /** Why the node is unavailable or takes no writes, as of the last health check. */
    get fault(): RedisFault | undefined {
      return breaker.isClosed ? writeFault : fault;
    },
    /** @throws StoreUnavailableError */
    async run<T>(command: () => Promise<T>, limitMs: number): Promise<T> {
      if (!connection) throw new StoreUnavailableError(noConnection.message);
      const began = clock.monotonic();
      const sentOver = connections;
      cork();
      try {
        return await inTime(command(), limitMs, late);
      } catch (error) {
        throw failureOf(error, sentOver);
      } finally {
        onEnd(clock.monotonic() - began);
      }
    },
    /** Uses the present connection; `undefined` while there is none. */
    follow(present: Redis | undefined): void {
      if (present === connection) return;
      connection = present;
      connections += 1;
      isCheckInFlight = false;
      writeFault = undefined;
      open(noConnection);
    },
    /**
     * Sends a health check, and opens or closes the breaker.
     * @param keys of the node, which are written
     * @returns its time; undefined without a reply in time
     */
    async check(keys: readonly string[]): Promise<TimeReply | undefined> {
      const redis = connection;
      // Another health check would only wait behind the one before.
      if (!redis || isCheckInFlight) return undefined;
      const sentOver = connections;
      isCheckInFlight = true;
      checks += 1;
      const token = String(checks);
      const call = breaker.startCall();
      const sentAt = clock.monotonic();
      const stopTimer = startTimer(SILENT_CONNECTION_MS, () => {
        reset(redis);
      });
      const reply = redis.eval(HEALTH_CHECK, keys.length, ...keys, token).finally(() => {
        stopTimer();
        if (sentOver === connections) isCheckInFlight = false;
      });
      try {
        const time = readCheck(await inTime(reply, REPLY_MS, late), token, sentAt, redis);
        if (sentOver === connections) breaker.succeeded(call);
        return time;
      } catch (error) {
        if (sentOver !== connections) {
          breaker.canceled(call);
          return undefined;
        }
        fault = faultOfCheck(error);
        breaker.failed(call, fault.message);
        return undefined;
      }
    },
  };
}

/** The fault that a failed health check reports. */
function faultOfCheck(error: unknown): RedisFault {
  if (error instanceof LateReplyError) return { reason: 'no_reply', message: error.message };
  return faultOfConnection(error as Error);
}

/** Ends a connection so that nothing arrives that was sent over it and not yet delivered. */
function reset({ stream }: Redis): void {
  // Node.js does not reset a TLS connection.
  if ('encrypted' in stream) stream.destroy();
  else stream.resetAndDestroy();
}
