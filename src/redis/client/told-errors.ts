import type { Logger } from '../../process/log.js';
import { isUnexpected, missingRule } from './errors.js';

/**
 * The time between two records of unexpected errors. Doubled: half as many records of a fault in
 * Redis.
 */
const INTERVAL_MS = 30_000;
/**
 * A refused command counts as missing for so long. Doubled: once its user may do it again, a replica
 * serves half a minute later.
 */
const MISSING_MS = 30_000;

/** Logs error replies of Redis: each missing rule once, all others once in 30 s. */
export interface ToldErrors {
  /**
   * @param name the key or the channel that the command was about
   * @returns whether a rule of the access list is missing
   */
  report: (error: unknown, name: string) => boolean;
  /** A rule of the access list without which a command was refused a moment ago. */
  missing: () => string | undefined;
}

export function createToldErrors(log: Logger): ToldErrors {
  const told = new Set<string>();
  let missing = { rule: '', until: -Infinity };
  let quietUntil = -Infinity;
  let untold = 0;
  return {
    report(error, name) {
      const now = performance.now();
      const rule = missingRule(error, name);
      if (rule !== undefined) {
        // Without the channel all places are still fetched, only later.
        if (!rule.startsWith('&')) missing = { rule, until: now + MISSING_MS };
        if (told.has(rule)) return true;
        told.add(rule);
        log.error({ event: 'redis_permission_missing', rule, name, err: error });
        return true;
      }
      if (!isUnexpected(error)) return false;
      untold += 1;
      if (now < quietUntil) return false;
      log.error({ event: 'redis_error', name, count: untold, err: error });
      quietUntil = now + INTERVAL_MS;
      untold = 0;
      return false;
    },
    missing: () => (performance.now() < missing.until ? missing.rule : undefined),
  };
}
