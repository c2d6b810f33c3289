import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import {
  isChannelForbidden,
  isExpected,
  isForbidden,
  messageOf,
  type RedisFault,
} from './redis-errors.js';

/**
 * Milliseconds after which a change of availability is reported. Longer: log, gauge, and readiness are
 * later. Shorter: transient delays are reported.
 */
const DEBOUNCE_MS = 1000;
/**
 * Milliseconds between two identical records about Redis. A missing permission also keeps the process
 * unready for this time. Longer: readiness recovers later after the permission was granted.
 */
const REPEAT_MS = 30_000;

/** What is reported after each round of health checks. */
export interface Health {
  /** Why Redis, or one of its nodes, is unavailable or takes no writes. */
  fault: RedisFault | undefined;
  /** Whether no node is available for reads. */
  isDown: boolean;
}

/** Reports the availability of Redis in the log, as a gauge, and for readiness. */
export function createHealthReporter(options: {
  log: Logger;
  instruments: Instruments;
  clock: Pick<Clock, 'monotonic'>;
}) {
  const { log, instruments, clock } = options;
  /** The debounced state, which gauge and readiness show. */
  let shown: Health = { fault: undefined, isDown: false };
  /** Since when each health check has differed from it; undefined if the last one did not. */
  let differsSince: number | undefined;
  /** The fault that the log reported last; undefined after `redis_recovered`. */
  let logged: RedisFault | undefined;
  let isFaultyNow = true;
  /** When each record was logged last. */
  const loggedAt = new Map<string, number>();
  let forbiddenAt = -Infinity;

  function mayLog(record: string): boolean {
    const now = clock.monotonic();
    if (now - (loggedAt.get(record) ?? -Infinity) < REPEAT_MS) return false;
    loggedAt.set(record, now);
    return true;
  }

  /** Whether a state has differed from the shown one for less than the time of the debounce. */
  function isTransient({ fault, isDown }: Health): boolean {
    const isLike = isDown === shown.isDown && Boolean(fault) === Boolean(shown.fault);
    differsSince = isLike ? undefined : (differsSince ?? clock.monotonic());
    return differsSince !== undefined && clock.monotonic() - differsSince < DEBOUNCE_MS;
  }

  function show(health: Health): void {
    const isOther = health.fault?.reason !== shown.fault?.reason;
    if (isOther) instruments.redisUnavailable(health.fault);
    shown = health;
    differsSince = undefined;
  }

  /** Logs the shown state, at once or when the identical record is old enough. */
  function logState({ fault }: Health): void {
    if (fault?.reason === logged?.reason || !mayLog(fault?.reason ?? 'recovered')) return;
    if (fault) log.warn({ event: 'redis_unavailable', ...fault });
    else log.info({ event: 'redis_recovered', reason: logged?.reason });
    logged = fault;
  }

  return {
    /** Takes the result of a round of health checks. */
    update(health: Health): void {
      isFaultyNow = health.fault !== undefined;
      if (!isTransient(health)) show(health);
      logState(shown);
    },
    /** Logs an unexpected error reply. */
    error: (error: unknown): void => {
      // Without channels, waiting requests read the cache entry instead.
      if (isForbidden(error) && !isChannelForbidden(error)) forbiddenAt = clock.monotonic();
      // During a fault, commands fail for the same reason as the health check.
      if (!isFaultyNow && !isExpected(error) && mayLog('error')) {
        log.error({ event: 'redis_error', message: messageOf(error), err: error });
      }
    },
    /** Whether Redis is down, debounced, or has forbidden a command within the last 30 seconds. */
    get isDown(): boolean {
      return shown.isDown || clock.monotonic() - forbiddenAt < REPEAT_MS;
    },
  };
}
