import { createLru } from '../base/lru.js';
import type { Clock } from '../weather/types.js';

/**
 * Creates a memo of what an adapter knows about points or areas.
 * @param max the maximum number of entries
 * @param ttlMs milliseconds after which an entry is forgotten
 */
export function createMemo<Value extends object>(
  clock: Pick<Clock, 'monotonic'>,
  max: number,
  ttlMs: number,
) {
  const perf = { now: () => clock.monotonic() };
  return createLru<string, Value>(max, { ttl: ttlMs, ttlResolution: 0, perf });
}
