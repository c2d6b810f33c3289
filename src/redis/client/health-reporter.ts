import type { Instruments, LostWrite } from '../../base/instruments.js';
import { createLru } from '../../base/lru.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import {
  faultOf,
  isErrorReply,
  isFaultOfCode,
  isForbidden,
  isUnexpected,
  messageOf,
  NO_CONNECTION,
  type RedisFault,
} from './redis-errors.js';
import { DEBOUNCE_MS, REPEAT_MS } from './timing.js';

/** Maximum number of kinds of records whose repetition is limited separately. */
const MAX_KINDS = 20;

/** A message without the numbers and hashes that differ from one record of a kind to the next. */
const kindOf = (message: string) => message.replace(/\d[\da-f]*/g, '');

const identityOf = (fault?: RedisFault) => fault && `${fault.reason} ${kindOf(fault.message)}`;

/** The result of a round of health checks. */
export interface Health {
  /** Why Redis is unavailable or takes no writes. */
  fault: RedisFault | undefined;
  /** Whether Redis is unavailable, also for reads. */
  isDown: boolean;
}

/** Reports the availability of Redis in the log, as a gauge, and for readiness. */
export function createHealthReporter(options: {
  log: Logger;
  instruments: Instruments;
  clock: Pick<Clock, 'monotonic'>;
}) {
  const { log, instruments, clock } = options;
  /** The debounced state, which the gauge and readiness show. */
  let shown: Health = { fault: undefined, isDown: false };
  /** Time since which every health check has differed from `shown`; undefined if none does. */
  let differsSince: number | undefined;
  /** The fault that the log reported last; undefined after `redis_recovered`. */
  let logged: RedisFault | undefined;
  let isFaultyNow = true;
  const loggedAt = createLru<string, number>(MAX_KINDS);
  /** The last rejection by Redis, and the time until which it counts. */
  let rejection: (Health & { until: number }) | undefined;

  function show(health: Health): void {
    const isUnavailable = health.fault !== undefined;
    if (isUnavailable !== (shown.fault !== undefined)) instruments.redisUnavailable(isUnavailable);
    shown = health;
  }

  function mayLog(limitKey: string): boolean {
    const now = clock.monotonic();
    if (now - (loggedAt.get(limitKey) ?? -Infinity) < REPEAT_MS) return false;
    loggedAt.set(limitKey, now);
    return true;
  }

  function limitKeyOf(fault: RedisFault | undefined): string {
    if (!fault) return `recovered from ${logged?.reason}`;
    // Why there is no connection, such as ETIMEDOUT, is logged as soon as it is known.
    return fault.message === NO_CONNECTION.message ? fault.message : fault.reason;
  }

  /** Logs a change of the shown fault, or leaves it to a later check after a similar record. */
  function logState({ fault }: Health): void {
    if (identityOf(fault) === identityOf(logged) || !mayLog(limitKeyOf(fault))) return;
    if (fault) log.warn({ event: 'redis_unavailable', ...fault });
    else log.info({ event: 'redis_recovered', reason: logged?.reason });
    logged = fault;
  }

  /** Remembers rejections that health checks may not find: memory, permissions of a command. */
  function noteRejection(error: Error): void {
    const fault = faultOf(error);
    const isDown = isForbidden(error);
    const lastsMs = isDown ? REPEAT_MS : DEBOUNCE_MS;
    const isRejection = fault.reason === 'read_only' || fault.reason === 'out_of_memory';
    if (isDown || isRejection) rejection = { fault, isDown, until: clock.monotonic() + lastsMs };
    // Not debounced: a missing permission is not a transient delay.
    if (isDown) show({ fault, isDown });
  }

  return {
    update({ fault: found, isDown }: Health): void {
      isFaultyNow = found !== undefined;
      const now = clock.monotonic();
      const rejected = rejection && now < rejection.until ? rejection : undefined;
      const fault = found ?? rejected?.fault;
      const health = { fault, isDown: isDown || rejected?.isDown === true };
      const isShown = health.isDown === shown.isDown && fault?.reason === shown.fault?.reason;
      if (isShown) shown = health;
      differsSince = isShown ? undefined : (differsSince ?? now);
      if (differsSince !== undefined && now - differsSince >= DEBOUNCE_MS) {
        differsSince = undefined;
        show(health);
      }
      logState(shown);
    },
    /**
     * Reports what a command or background work has thrown. Each kind of message is logged at most
     * once in 30 s. Omits what is reported elsewhere: errors of connections and states of Redis by
     * the health check, failures of fetches by their records.
     */
    error: (error: unknown): void => {
      if (isErrorReply(error)) noteRejection(error as Error);
      // During a fault, commands fail for the same reason as the health check.
      const isNew = isErrorReply(error) && isUnexpected(error) && !isFaultyNow;
      if (!isNew && !isFaultOfCode(error)) return;
      const message = messageOf(error);
      if (mayLog(kindOf(message))) log.error({ event: 'redis_error', message, err: error });
    },
    lost: (data: LostWrite, count = 1): void => {
      instruments.redisWritesLost(data, count);
      if (mayLog(`lost ${data}`)) log.warn({ event: 'redis_writes_lost', data });
    },
    /** Whether Redis is down, debounced. */
    get isDown(): boolean {
      return shown.isDown;
    },
  };
}
