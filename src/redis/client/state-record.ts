import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';

/** Another reason is told once it has stood for so long, in milliseconds: an outage has several faces. */
const SETTLED_MS = 3000;

/** Why Redis is degraded. */
export interface Fault {
  reason: string;
  /** The code of the error behind it, such as `ECONNREFUSED`, where there is one. */
  detail?: string | undefined;
}

/**
 * Writes a record when the state of Redis changes, `redis_degraded` and `redis_recovered`, and when
 * another reason takes the place of the one that was told, `redis_reason_changed`.
 */
export interface StateRecord {
  readonly degraded: boolean;
  /** To be told again and again while the fault stands. */
  degrade(fault: Fault): void;
  recover(): void;
}

/** @param now milliseconds of a monotonic clock */
export function createStateRecord(
  log: Logger,
  instruments: Instruments,
  now: () => number,
): StateRecord {
  let isKnown = false;
  let told: string | undefined;
  /** What is said now, where that is not what was told. */
  let other: { reason: string; since: number } | undefined;

  function tell({ reason, detail }: Fault, before?: string): void {
    told = reason;
    other = undefined;
    isKnown = true;
    if (before === undefined) log.warn({ event: 'redis_degraded', reason, detail });
    else log.warn({ event: 'redis_reason_changed', reason, detail, before });
    instruments.redisDegraded({ reason, detail });
  }

  return {
    get degraded() {
      return told !== undefined;
    },
    degrade(fault) {
      if (told === undefined) tell(fault);
      else if (fault.reason === told) other = undefined;
      else if (fault.reason !== other?.reason) other = { reason: fault.reason, since: now() };
      else if (now() - other.since >= SETTLED_MS) tell(fault, told);
    },
    recover() {
      if (isKnown && told === undefined) return;
      if (told !== undefined) log.info({ event: 'redis_recovered', reason: told });
      instruments.redisDegraded(undefined);
      isKnown = true;
      told = undefined;
      other = undefined;
    },
  };
}
