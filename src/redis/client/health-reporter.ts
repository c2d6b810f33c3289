import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import { createDebounce } from './debounce.js';
import {
  isChannelForbidden,
  isExpected,
  isForbidden,
  messageOf,
  type RedisFault,
} from './redis-errors.js';

/**
 * Milliseconds after which a change of availability is reported. Longer: log, gauge, and readiness
 * change later. Shorter: transient delays are reported.
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
  const isFaulty = createDebounce(DEBOUNCE_MS, clock);
  const isDown = createDebounce(DEBOUNCE_MS, clock);
  /** When each record was logged last. */
  const loggedAt = new Map<string, number>();
  let forbiddenAt = -Infinity;
  let isUnavailable = false;
  let isFaultyNow = true;
  /** The fault that the gauge shows. */
  let shown: RedisFault | undefined;
  /** The fault that the log reported last; undefined after `redis_recovered`. */
  let logged: RedisFault | undefined;

  function mayLog(record: string): boolean {
    const now = clock.monotonic();
    if (now - (loggedAt.get(record) ?? -Infinity) < REPEAT_MS) return false;
    loggedAt.set(record, now);
    return true;
  }

  function show(fault: RedisFault | undefined): void {
    if (fault?.reason === shown?.reason) return;
    shown = fault;
    instruments.redisUnavailable(fault);
  }

  /** Logs the state that the gauge shows, at once or when the identical record is old enough. */
  function logState(): void {
    if (shown?.reason === logged?.reason || !mayLog(shown?.reason ?? 'recovered')) return;
    if (shown) log.warn({ event: 'redis_unavailable', ...shown });
    else log.info({ event: 'redis_recovered', reason: logged?.reason });
    logged = shown;
  }

  return {
    /** Takes the result of a round of health checks. */
    update({ fault, isDown: isDownNow }: Health): void {
      isUnavailable = isDown(isDownNow);
      isFaultyNow = fault !== undefined;
      const isLasting = isFaulty(fault !== undefined);
      if (!isLasting) show(undefined);
      else if (fault) show(fault);
      logState();
    },
    /** Logs an error reply that is not about the availability of a node. */
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
      return isUnavailable || clock.monotonic() - forbiddenAt < REPEAT_MS;
    },
  };
}
