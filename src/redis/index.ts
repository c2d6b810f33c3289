import type { Config, RedisAddress } from '../config/config.js';
import type { Instruments } from '../process/instruments.js';
import type { Lifecycle } from '../process/lifecycle.js';
import type { Logger } from '../process/log.js';
import type { LocalStores, Stores } from '../stores.js';
import type { Budgets } from '../upstream/budgets.js';
import type { Clock } from '../weather/types.js';
import { createRedisAnswers } from './answers.js';
import { createRedisBreakers } from './breakers.js';
import { connect, databaseOf } from './client/connection.js';
import { createGuardedStore } from './client/guarded-store.js';
import { topologyOf } from './client/topology.js';
import { createFetching } from './fetching/index.js';
import { createRedisLimiters } from './limiter.js';
import { createNames } from './names.js';
import { memoryOf } from './memory.js';
import { createRedisSessions } from './sessions.js';

/** A look-up may take several attempts one after the other, such as a redirect. */
const CALLS_MS_FACTOR = 2;

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
  const names = createNames(config.redisPrefix, databaseOf(address.url));
  const store = createGuardedStore(connect(address, 'requests'), log, instruments, names);
  lifecycle.closes(() => {
    store.close();
  });
  const fetching = createFetching({ ...options, store, near: local.near });

  return {
    now: () => store.now(),
    limiter: createRedisLimiters({ store, local, config, clock }),
    suggestions: local.suggestions,
    sessions: createRedisSessions(store, names, config.session),
    breakers: createRedisBreakers({
      store,
      circuits: local.circuits,
      share: local.budgets,
      budgets,
      callMs: CALLS_MS_FACTOR * config.upstream.timeoutMs,
      clock,
    }),
    answers: createRedisAnswers(store, names, local.answers),
    near: local.near,
    fetchQueue: (fetcher) => fetching.queue(fetcher, local.fetchQueue(fetcher)),
    startWorker: (fetcher) => fetching.startWorker(fetcher),
    backlog: () => fetching.backlog(),
    memory: () => memoryOf(topologyOf(store.client)),
    async state() {
      const up = await store.check();
      return { check: up ? 'ok' : 'down', wasReached: store.wasReached };
    },
  };
}
