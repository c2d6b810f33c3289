import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { countInTurn, countLocally, countTogether } from '../../src/limits/limiters.js';
import { createRefusals, createTotalRefusal } from '../../src/limits/refusals.js';
import { createMemorySlidingWindow } from '../../src/memory/sliding-window.js';
import { createRedisSlidingWindow, createRedisWindowPair } from '../../src/redis/sliding-window.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { limiterContract, type LimitOf } from './limiter.contract.js';

const realClock = { monotonic: () => performance.now() };
let now = 5_000_000;
const testClock = { monotonic: () => now };

const memory = (of: LimitOf, clock = realClock) =>
  createMemorySlidingWindow({ ...of, clock, maxKeys: 100, maxSlots: 10_000 });

limiterContract('memory', () => ({
  shared: false,
  open: (processes, own, total) =>
    Array.from({ length: processes }, () =>
      countLocally(memory(own, testClock), memory(total, testClock)),
    ),
  pass(ms) {
    now += ms;
    return Promise.resolve();
  },
}));

let servers: RedisServer[];
let clients: Redis[];
before(async () => {
  servers = [await startRedis(), await startRedis()];
  clients = servers.map(({ url }) => new Redis(url));
});
after(async () => {
  for (const client of clients) client.disconnect();
  for (const server of servers) await server.stop();
});

const refusing = () => ({
  refusals: createRefusals({ clock: realClock, maxClients: 100, total: createTotalRefusal() }),
  clock: realClock,
});
/** A timer may fire a little early by another clock than its own. */
const pass = (ms: number) => sleep(ms + 2);

limiterContract('Redis', () => ({
  shared: true,
  open(processes, own, total) {
    const [ownName, totalName] = [randomUUID(), randomUUID()];
    return Array.from({ length: processes }, () =>
      countTogether({
        pair: createRedisWindowPair(
          plainRedisStore(clients[0]!),
          { name: ownName, ...own },
          { name: totalName, ...total },
        ),
        own: memory(own),
        total: memory(total),
        ...refusing(),
      }),
    );
  },
  pass,
}));

limiterContract('two nodes of Redis', () => ({
  shared: true,
  open(processes, own, total) {
    const names = [randomUUID(), randomUUID()] as const;
    const window = (i: 0 | 1, of: LimitOf) => ({
      shared: createRedisSlidingWindow(plainRedisStore(clients[i]!), { name: names[i], ...of }),
      local: memory(of),
    });
    return Array.from({ length: processes }, () =>
      countInTurn({ own: window(0, own), total: window(1, total), ...refusing() }),
    );
  },
  pass,
}));
