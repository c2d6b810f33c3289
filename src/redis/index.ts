import { Cluster } from 'ioredis';
import type { Config, RedisAddress } from '../config/config.js';
import type { Instruments } from '../process/instruments.js';
import type { Lifecycle } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { LocalStores, Stores } from '../stores.js';
import type { Budgets } from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';
import { createRedisAnswers } from './answers.js';
import { createRedisBudgets } from './budgets.js';
import { connect, databaseOf } from './client/connection.js';
import { createRedisStore } from './client/store.js';
import { topologyOf } from './client/topology.js';
import { createFetching } from './fetching/index.js';
import { createRedisLimiters } from './limits.js';
import { createNames } from './names.js';
import { carryingOver } from './old-sessions.js';
import { memoryOf, warnOfServers } from './server-info.js';
import { createRedisSessions, recording } from './sessions.js';

/**
 * Everything in Redis, shared by all processes.
 * @param local stands in while Redis is unavailable
 */
export function redisStores(options: {
  address: RedisAddress;
  local: LocalStores;
  config: Config;
  budgets: Budgets;
  log: Logger;
  clock: Clock;
  instruments: Instruments;
  lifecycle: Lifecycle;
}): Stores {
  const { address, local, config, budgets, log, clock, instruments, lifecycle } = options;
  const prefix = config.redisPrefix;
  const names = createNames(prefix, databaseOf(address.url));
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
  const topology = topologyOf(store.client);
  store.client.once('ready', () => void warnOfServers(topology, log));
  const fetching = createFetching({ ...options, store, names, near: local.near });

  return {
    now: () => store.now(),
    limiter: createRedisLimiters({
      store,
      names,
      limits: config.rateLimits,
      local: (kind) => local.windows(kind),
      updateFor:
        store.client instanceof Cluster
          ? undefined
          : ({ sessionId, search }) =>
              recording(sessionId, search, { names, lives: config.session }),
      clock,
    }),
    sessions: carryingOver(sessions, { ...config.session, store, names, prefix }),
    budgets: createRedisBudgets({ store, names, budgets, share: local.budgets }),
    answers: createRedisAnswers(store, names, local.answers),
    near: local.near,
    fetchQueue: (fetcher) => fetching.queue(fetcher),
    startWorker: (fetcher) => fetching.startWorker(fetcher),
    backlog: () => fetching.backlog(),
    memory: () => memoryOf(topology),
    async state() {
      const up = await store.check();
      return { check: up ? 'ok' : 'down', wasReached: store.wasReached };
    },
  };
}
