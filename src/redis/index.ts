import type { Config, RedisAddress } from '../config/config.js';
import { withFallback } from '../limits/fallback.js';
import { rememberingRefusals } from '../limits/refusals.js';
import type { Instruments } from '../process/instruments.js';
import type { Lifecycle } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { LocalStores, Stores } from '../stores.js';
import type { Clock } from '../weather/types.js';
import { createRedisAnswers } from './answers.js';
import { connect, databaseOf } from './client/connection.js';
import { createRedisStore } from './client/store.js';
import { createFetching } from './fetching/index.js';
import { createNames } from './names.js';
import { createRedisQuotas } from './quotas.js';
import { memoryOf, warnOfServers } from './server-info.js';
import { createRedisSessions } from './sessions.js';
import { createRedisWindows } from './windows.js';

/** Refusals that a process remembers until their reset: one for each refused client. */
const MAX_REFUSALS = 20_000;

/**
 * Everything in Redis, shared by all processes.
 * @param local stands in while Redis is unavailable
 */
export function redisStores(options: {
  address: RedisAddress;
  local: LocalStores;
  config: Config;
  log: Logger;
  clock: Clock;
  instruments: Instruments;
  lifecycle: Lifecycle;
}): Stores {
  const { address, local, config, log, clock, instruments, lifecycle } = options;
  const names = createNames(config.redisPrefix, databaseOf(address.url));
  const store = createRedisStore({
    client: connect(address, 'requests'),
    names,
    log,
    instruments,
  });
  lifecycle.closes(() => {
    store.close();
  });
  const sessions = createRedisSessions(store, names, config.session);
  // What was answered is recorded before the connection is closed.
  lifecycle.closes(() => sessions.settled().catch(() => undefined));
  store.client.once('ready', () => void warnOfServers(store.topology, log));
  const windows = createRedisWindows(store, names);
  const fetching = createFetching({ ...options, store, names, near: local.near });

  return {
    now: () => store.now(),
    windows: {
      limits: withFallback(
        rememberingRefusals(windows, { clock, maxRefusals: MAX_REFUSALS }),
        local.windows.limits,
        clock,
      ),
      // Each process counts them alone: they cost nobody else anything.
      suggestions: local.windows.suggestions,
      budgets: withFallback(windows, local.windows.budgets, clock),
    },
    sessions,
    quotas: createRedisQuotas(store, names),
    answers: createRedisAnswers(store, names, local.answers),
    near: local.near,
    fetchQueue: (fetcher) => fetching.queue(fetcher),
    startWorker: (fetcher) => fetching.startWorker(fetcher),
    backlog: () => fetching.backlog(),
    memory: () => memoryOf(store.topology),
    state: () => ({ check: store.isUp ? 'ok' : 'down', wasReached: store.wasReached }),
  };
}
