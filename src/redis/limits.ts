import type { Config } from '../config/config.js';
import {
  ALL_CLIENTS,
  createLocalLimiter,
  createSharedLimiter,
  limitsOf,
  type CountShared,
  type LimitName,
  type Limiter,
  type LimitsOf,
  type RequestKind,
} from '../limits/limiter.js';
import { createRefusals } from '../limits/refusals.js';
import type { LocalWindow } from '../limits/window.js';
import type { PendingRecord } from '../weather/searches.js';
import type { Clock } from '../weather/types.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { issuedAtOf, type SessionUpdate } from './sessions.js';
import { createSharedWindows } from './windows.js';

/** Refusals that a process remembers until their reset: one for each refused client. */
const MAX_REFUSALS = 20_000;

/**
 * Limiters over windows that all processes share. While there is a total, all windows lie on its
 * node; without one, each client's window lies on its own.
 * @param options.local this process's own windows, for as long as Redis is unavailable
 * @param options.updateFor what records a search in the step that admits its request; undefined on a
 *   cluster, where windows and session may be on different nodes
 */
export function createRedisLimiters(options: {
  store: RedisStore;
  names: Names;
  limits: Config['rateLimits'];
  local: (kind: RequestKind) => LimitsOf<LocalWindow>;
  updateFor: ((pending: PendingRecord) => SessionUpdate) | undefined;
  clock: Clock;
}): (kind: RequestKind) => Limiter {
  const { store, names, limits, local, updateFor, clock } = options;
  const refusals = createRefusals({ clock, maxRefusals: MAX_REFUSALS });

  function countIn(kind: RequestKind): CountShared | undefined {
    const { per_ip, total } = limitsOf(kind, limits);
    const used = Object.entries({ per_ip, total }).flatMap(([name, settings]) =>
      settings ? [{ name: name as LimitName, ...settings }] : [],
    );
    if (used.length === 0) return undefined;
    const keyOf = (name: LimitName, client: string) =>
      name === 'total'
        ? names.window(ALL_CLIENTS, 'total')
        : names.window(total ? ALL_CLIENTS : client, `${kind}:${client}`);
    const windows = createSharedWindows(
      store,
      used.map(({ limit, windowSeconds }) => ({ limit, windowMs: windowSeconds * 1000 })),
      (client) => used.map(({ name }) => keyOf(name, client)),
    );
    return async (client, scope, pending) => {
      const update = pending && updateFor?.(pending);
      const { refusedBy, states, updated } = await windows.count(client, scope, update);
      const issuedAt = issuedAtOf(updated);
      if (pending && issuedAt !== undefined) pending.issuedAt = issuedAt;
      const by = refusedBy === undefined ? undefined : used[refusedBy]?.name;
      const told = used.map(({ name }, i) => [name, states[i]] as const);
      return {
        ...(by && { refusedBy: by }),
        ...Object.fromEntries(told.filter(([name]) => by === undefined || name === by)),
      };
    };
  }

  return (kind) => {
    const shared = kind === 'suggestions' ? undefined : countIn(kind);
    if (!shared) return createLocalLimiter(local(kind));
    return createSharedLimiter({ kind, shared, local: local(kind), refusals, clock });
  };
}
