import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisSessions } from '../../src/redis/redis-sessions.js';
import {
  MAX_RECENT_SEARCHES,
  type Sessions,
  type TimedSearch,
} from '../../src/weather/recent-searches.js';
import { createRandom } from '../support/random.js';
import { useRedis } from '../support/use-redis.js';
import { forEachSeed } from './interleavings.js';
import { createNetwork, type NetworkFaults } from './network.js';
import {
  createSessionService,
  type SessionRequest,
  type SessionResponse,
} from './session-service.js';
import { createVirtualTime } from './virtual-time.js';

const REPLICAS = 3;
const REQUESTS = 14;
const PLACES = 12;

/** Everything that happened in one interleaving, as far as the client or the store could see it. */
interface History {
  /** Recordings by session ID. */
  recorded: Map<string, TimedSearch[]>;
  /** IDs for which a DELETE was sent to Redis. */
  cleared: Set<string>;
  /** Violations of the promise that a list contains nothing from before a DELETE. */
  restored: string[];
  /** The list of the client when nothing is in flight any more. */
  finalList: string[];
  finalId: string;
}

/** Hides missing replies from the adapter, which retries in real time. The network resends. */
function withoutRetries(redis: GuardedRedis): GuardedRedis {
  return {
    ...redis,
    script(name, lua, isReply) {
      const send = redis.script(name, lua, isReply);
      return (keys, args, options) => {
        const sent = send(keys, args, options);
        return options ? sent : sent.catch(() => undefined as never);
      };
    },
  };
}

/** One client with several tabs sends requests to three replicas, over a network with faults. */
async function simulate(redis: Redis, seed: number, faults: NetworkFaults): Promise<History> {
  const random = createRandom(seed);
  const time = createVirtualTime();
  const present = { ...faults };
  const network = createNetwork({ time, random, redis, faults: present });
  const names = createNames(`model${seed}`, 0);
  const ttls = { ttlSeconds: 86_400, unconfirmedTtlSeconds: 1800 };
  const history: History = {
    ...{ recorded: new Map(), cleared: new Set(), restored: [], finalList: [], finalId: '' },
  };

  function observed(store: Sessions): Sessions {
    return {
      ...store,
      record(session, search) {
        if (search) {
          history.recorded.set(session.id, [...(history.recorded.get(session.id) ?? []), search]);
        }
        return store.record(session, search);
      },
      clearSearches(id) {
        history.cleared.add(id);
        return store.clearSearches(id);
      },
    };
  }
  const replicas = Array.from({ length: REPLICAS }, (_, n) =>
    createSessionService({
      store: observed(
        createRedisSessions({
          redis: withoutRetries(network.connect().redis),
          names,
          ttls,
          clock: { monotonic: () => time.now },
        }),
      ),
      // A difference that keeps the responses of two replicas apart.
      clock: { now: () => time.now, monotonic: () => time.now + n / 10 },
    }),
  );

  let cookie = '';
  let sent = 0;
  /** The last search before the newest DELETE that the client knows to have succeeded. */
  let clearedUpTo = 0;

  async function request(method: SessionRequest['method'], path: string): Promise<SessionResponse> {
    const message = { method, path, cookie };
    await time.sleep(random.between(1, 30));
    const response = await random.pick(replicas)(message);
    await time.sleep(random.between(1, 30));
    cookie = response.cookie ?? cookie;
    return response;
  }
  async function search() {
    sent += 1;
    const city = `P${random.between(1, PLACES)} ${sent}`;
    await request('GET', `/search?${new URLSearchParams({ city }).toString()}`);
  }
  async function list(): Promise<string[]> {
    const before = clearedUpTo;
    const { status, body } = await request('GET', '/api/v1/recent-searches');
    if (status !== 200) return [];
    const cities = (body as { recent_searches: { city: string }[] }).recent_searches.map(
      (entry) => entry.city,
    );
    const old = cities.filter((city) => Number(city.split(' ')[1]) <= before);
    history.restored.push(...old);
    return cities;
  }
  async function clear() {
    const before = sent;
    const { status } = await request('DELETE', '/api/v1/recent-searches');
    if (status === 200) clearedUpTo = Math.max(clearedUpTo, before);
  }

  // A client without a session gets one first: two responses at once would be two sessions.
  time.after(0, search);
  for (let n = 1; n < REQUESTS; n += 1) {
    const kind = random.weighted<() => Promise<unknown>>([
      [6, search],
      [3, list],
      [1, clear],
    ]);
    time.after(400 + random.between(0, 1500), kind);
  }
  await time.runAll();
  Object.assign(present, { lost: 0, duplicated: 0, late: 0 });
  time.after(0, async () => {
    history.finalList = await list();
    history.finalId = /session=([\w-]+)/.exec(cookie)?.[1] ?? '';
  });
  await time.runAll();
  const keys = await redis.keys(`model${seed}:*`);
  if (keys.length > 0) await redis.del(...keys);
  return history;
}

const UNRELIABLE = { lost: 0.1, duplicated: 0.1, late: 0.2 };
const HEALTHY = { lost: 0, duplicated: 0, late: 0 };
/** Maximum milliseconds between a response and its recording's arrival in the healthy network. */
const MAX_TRANSIT_MS = 20;

const placeOf = (city: string) => city.split(' ')[0];

/** The places of a list, which may be shorter than the number of places that were searched for. */
function assertComplete(list: string[], recorded: TimedSearch[]): void {
  const places = new Set(recorded.map(({ placeKey }) => placeKey));
  assert.equal(list.length, Math.min(places.size, MAX_RECENT_SEARCHES));
  assert.equal(new Set(list.map(placeOf)).size, list.length, 'a place is listed twice');
  const cities = new Set(recorded.map(({ city }) => city));
  assert.deepEqual(
    list.filter((city) => !cities.has(city)),
    [],
  );
}

describe('sessions over an unreliable network', () => {
  const redis = useRedis();

  it('lists every recorded search, and nothing from before a DELETE', async () => {
    await forEachSeed(async (seed) => {
      const { restored, recorded, cleared, finalId, finalList } = await simulate(
        redis.client,
        seed,
        UNRELIABLE,
      );
      assert.deepEqual(restored, []);
      // If the response to a DELETE did not arrive in time, the client keeps the session.
      if (cleared.has(finalId)) return;
      assertComplete(finalList, recorded.get(finalId) ?? []);
    });
  });

  it('lists the newest search first, if recordings take a few milliseconds', async () => {
    await forEachSeed(async (seed) => {
      const { recorded, cleared, finalId, finalList } = await simulate(redis.client, seed, HEALTHY);
      if (cleared.has(finalId)) return;
      const searches = recorded.get(finalId) ?? [];
      assertComplete(finalList, searches);
      const answeredAt = (city?: string) =>
        (searches.find((search) => search.city === city)?.respondedAtUs ?? 0) / 1000;
      for (const [n, city] of finalList.entries()) {
        const newerThanNext = answeredAt(city) - answeredAt(finalList[n + 1]);
        assert.ok(newerThanNext >= -MAX_TRANSIT_MS, finalList.join());
      }
    });
  });
});
