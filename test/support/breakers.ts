import type { Redis } from 'ioredis';
import { createMemoryBreakers } from '../../src/memory/breakers.js';
import { createMemoryBudgets } from '../../src/memory/budgets.js';
import { createMemoryCircuits } from '../../src/memory/circuits.js';
import { createRedisBreakers } from '../../src/redis/breakers.js';
import { openMs, type Breakers, type LocalCircuits } from '../../src/upstream/breakers.js';
import type { Budgets } from '../../src/upstream/budgets.js';
import type { Clock } from '../../src/weather/types.js';
import { plainRedisStore } from './plain-redis-store.js';

const NONE: Budgets = new Map();

/** Whether the breaker would refuse a caller at this moment. */
export async function isOpen(breakers: Breakers, name: string): Promise<boolean> {
  return (await openMs(breakers, name)) > 0;
}

/** Breakers and budgets of one process alone. */
export function memoryBreakers(clock: Clock, budgets = NONE): Breakers {
  const share = createMemoryBudgets({ clock, share: 1 });
  return createMemoryBreakers(createMemoryCircuits(clock), share, budgets);
}

/** Those that processes share, over one plain connection. */
export function redisBreakers(
  client: Redis,
  options: {
    clock: Clock;
    budgets?: Budgets;
    share?: number;
    circuits?: Partial<LocalCircuits>;
    /** When the calls of a process that was killed are given up. */
    callMs?: number;
  },
): Breakers {
  const { clock, budgets = NONE, share = 1, circuits, callMs = 60_000 } = options;
  return createRedisBreakers({
    store: plainRedisStore(client),
    circuits: { ...createMemoryCircuits(clock), ...circuits },
    share: createMemoryBudgets({ clock, share }),
    budgets,
    callMs,
  });
}
