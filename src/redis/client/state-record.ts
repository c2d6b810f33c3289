import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';

/** Writes a record when the state of Redis changes: `redis_degraded`, `redis_recovered`. */
export interface StateRecord {
  readonly degraded: boolean;
  /** @param reason why it is degraded; the first reason stands until it recovers */
  degrade(reason: string): void;
  recover(): void;
}

export function createStateRecord(log: Logger, instruments: Instruments): StateRecord {
  let degradedBy: string | undefined;
  return {
    get degraded() {
      return degradedBy !== undefined;
    },
    degrade(reason) {
      if (degradedBy !== undefined) return;
      degradedBy = reason;
      log.warn({ event: 'redis_degraded', reason });
      instruments.redisDegraded(true, reason);
    },
    recover() {
      if (degradedBy === undefined) return;
      log.info({ event: 'redis_recovered', reason: degradedBy });
      instruments.redisDegraded(false, degradedBy);
      degradedBy = undefined;
    },
  };
}
