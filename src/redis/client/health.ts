import { Cluster, Redis } from 'ioredis';
import type { CircuitBreaker } from '../../base/circuit-breaker.js';
import { inTime, startTimer } from '../../base/time-limit.js';
import type { StoreState } from '../../store.js';
import { destroyConnections, destroyConnection, type RedisClient } from './connection.js';
import type { createHealthReporter } from './health-reporter.js';
import type { Master, Masters } from './masters.js';
import {
  CONNECTION_CLOSED,
  errorReply,
  faultOf,
  lateReply,
  NO_CONNECTION,
  WRONG_REPLY,
  type RedisFault,
} from './redis-errors.js';
import { readScript } from './script.js';
import {
  HEALTH_KEY_MS,
  HEALTH_MS,
  READ_ONLY_MS,
  REPLY_MS,
  RETRY_MS,
  SILENT_CONNECTION_MS,
} from './timing.js';

/**
 * Checks every master periodically. If one does not reply in time, the circuit breaker of Redis
 * opens, until all of them reply. A master that rejects writes makes Redis read-only.
 */
export function watchHealth(options: {
  client: RedisClient;
  masters: Masters;
  breaker: CircuitBreaker;
  reporter: ReturnType<typeof createHealthReporter>;
}) {
  const { client, masters, breaker, reporter } = options;
  /** Why the breaker is open or, while it is closed, why Redis takes no writes. */
  let fault: RedisFault | undefined = NO_CONNECTION;
  /** Why the last connection was lost, or could not be made, such as a wrong password. */
  let connectionFault = NO_CONNECTION;
  let wasReached = false;
  let isChecking = false;
  let sinceCheckMs = 0;
  let checks = 0;
  let reconnectedAt = -Infinity;
  const script = readScript('health-check');

  /** Returns why a master rejects writes, or ''. @throws Error if it does not reply in time */
  async function checkMaster({ redis, address, keys }: Master): Promise<string> {
    if (!redis)
      throw new Error(address ? `${NO_CONNECTION.message} at ${address}` : NO_CONNECTION.message);
    const token = String((checks += 1));
    const stopTimer = startTimer(SILENT_CONNECTION_MS, () => {
      destroyConnection(redis);
    });
    const checking = redis
      .eval(script, keys.length, ...keys, HEALTH_KEY_MS, token)
      .finally(stopTimer);
    const reply = await inTime(checking, REPLY_MS, lateReply);
    const [echo, rejection] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (echo === token && typeof rejection === 'string') return rejection;
    // Each later reply would be assigned to the wrong command.
    destroyConnection(redis);
    throw new Error(WRONG_REPLY);
  }

  /** Returns the fault behind an error: of a lost connection, the reason, if it is known. */
  function faultBehind(error: unknown): RedisFault {
    const reported = faultOf(error as Error);
    if (reported.reason !== 'no_connection') return reported;
    // The fault of a read-only server remains while a connection to another server opens.
    if (fault && fault.reason !== 'no_connection') return fault;
    return connectionFault === NO_CONNECTION ? reported : connectionFault;
  }

  /**
   * Closes the connection to a read-only server, so that the client connects again: after a
   * failover, the address leads to the new master. A cluster redirects instead.
   */
  function reconnect(): void {
    const now = performance.now();
    if (!(client instanceof Redis) || now - reconnectedAt < READ_ONLY_MS) return;
    reconnectedAt = now;
    destroyConnections(client);
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    sinceCheckMs = 0;
    try {
      // The library stops connecting if a sentinel reports a failover meanwhile (ioredis 6.0.0; as
      // in https://github.com/taskforcesh/bullmq/issues/4378).
      if (client.status === 'end') client.connect().catch(reporter.error);
      const currentMasters = masters.list();
      // The library connects to a lost node of a cluster only after `slotsRefreshInterval`.
      if (client instanceof Cluster && currentMasters.some(({ redis }) => !redis))
        client.refreshSlotsCache();
      const rejections = await Promise.all(currentMasters.map(checkMaster));
      breaker.close();
      const rejection = rejections.find((each) => each !== '');
      const rejected = rejection === undefined ? undefined : errorReply(rejection);
      if (rejected) reporter.error(rejected);
      fault = rejected && faultOf(rejected);
      connectionFault = NO_CONNECTION;
      wasReached = true;
      if (fault?.reason === 'read_only') reconnect();
    } catch (error) {
      fault = faultBehind(error);
      breaker.open(fault.message);
    } finally {
      isChecking = false;
    }
    reporter.update({ fault, isDown: !breaker.isClosed });
  }

  client.on('ready', () => void check());
  client.on('error', (error: Error) => {
    const reported = faultOf(error);
    // A server that rejects a connection first sends the reason, and then ends the connection.
    const isEnd =
      reported.message === CONNECTION_CLOSED ||
      (reported.reason === 'no_connection' && client.status !== 'connecting');
    if (isEnd && connectionFault !== NO_CONNECTION) return;
    connectionFault = reported;
    // It replaces the reason of the lost connection.
    if (!isEnd && !breaker.isClosed) fault = reported;
  });
  const timer = setInterval(() => {
    sinceCheckMs += RETRY_MS;
    const isAvailable = breaker.isClosed && !fault;
    if (!isAvailable || sinceCheckMs >= HEALTH_MS) void check();
  }, RETRY_MS);

  return {
    isWritable: (): boolean => breaker.isClosed && !fault,
    /** Whether Redis is available, debounced: for readiness. */
    state: (): StoreState => ({
      check: wasReached && !reporter.isDown ? 'ok' : 'down',
      wasReached,
    }),
    /** Opens the breaker: a command had no reply. */
    failed: (error: unknown): void => {
      fault = faultBehind(error);
      breaker.open(fault.message);
    },
    stop: (): void => {
      clearInterval(timer);
    },
  };
}
