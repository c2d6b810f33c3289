/**
 * Properties of the rate limits, checked by random schedules with a real Redis. Several replicas
 * share it, each with its own connection and its own remembered rejections.
 *
 * For every schedule:
 * 1. In no interval of a window's length are more than its limit admitted: of a client, and in total.
 * 2. A request counts in both windows when it is admitted, and in neither when it is refused.
 * 3. A refused client that waits until the reset time is admitted, unless others took its place.
 *
 * The requests of one event loop iteration of a replica are one command with up to 64 requests. A second
 * property compares each verdict with a model that decides one request after the other.
 *
 * `TEST_SEED` repeats the schedules of a run, `LIMITS_RUNS=<number>` tries more.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '../support/properties.js';
import { Redis } from 'ioredis';
import type { Limiter, Verdict } from '../../src/limits/limiter.js';
import type { Window } from '../../src/limits/rate-limit-window.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisWindows } from '../../src/redis/redis-windows.js';
import { passInRedis, redisLimiter } from '../support/limiters.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';

const WINDOW_MS = 1000;
const REPLICAS = 3;
const RUNS = Number(process.env['LIMITS_RUNS'] ?? 5);

/** One request: its client, when it was sent and answered, and its verdict. */
interface Sent {
  client: string;
  sent: number;
  answered: number;
  verdict: Verdict;
}

/** Bursts: a pause, then requests of clients, spread over the replicas. */
const schedule = fc.array(
  fc.record({
    pauseMs: fc.constantFrom(0, 1, 20, 180, 450, 900, 990, 1000, 1010),
    clients: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 64 }),
    replica: fc.nat({ max: REPLICAS - 1 }),
    /** Whether one replica receives the whole burst in one event loop iteration. */
    together: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);
const limits = fc.record({
  own: fc.constantFrom(1, 2, 7, 20),
  total: fc.constantFrom(1, 3, 10, 30, 501),
});

let server: RedisServer;
let connections: Redis[];
before(async () => {
  server = await startRedis();
  connections = Array.from({ length: REPLICAS }, () => new Redis(server.url));
});
after(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

function openReplicas(own: number, total: number): Limiter[] {
  const limits = {
    perIp: { limit: own, windowSeconds: 1 },
    total: { limit: total, windowSeconds: 1 },
  };
  const prefix = randomUUID();
  return connections.map((connection) => redisLimiter(connection, prefix, limits));
}

async function request(limiter: Limiter, client: string): Promise<Sent> {
  const sent = performance.now();
  const verdict = await limiter(client);
  return { client, sent, answered: performance.now(), verdict };
}

const isAdmitted = ({ verdict }: Sent) => verdict.rejectedBy === undefined;

/** Counts what was surely admitted within one window: sent and answered in it. */
function assertNeverMore(admitted: Sent[], limit: number): void {
  for (const { sent: begin } of admitted) {
    // Redis's clock has whole microseconds.
    const end = begin + WINDOW_MS - 0.01;
    const inside = admitted.filter(({ sent, answered }) => sent >= begin && answered < end);
    assert.ok(inside.length <= limit, `${inside.length} in one window at a limit of ${limit}`);
  }
}

/**
 * In the first window, every admission is known. The remaining requests of each verdict are the limit
 * minus the admissions, whatever was refused meanwhile.
 */
function assertCountsInBoth(bursts: Sent[][], own: number, total: number): void {
  const end = (bursts[0]?.[0]?.sent ?? 0) + WINDOW_MS - 0.01;
  // Whole bursts only: of a later one, some answers may come in time and others not.
  const late = bursts.findIndex((burst) => burst.some(({ answered }) => answered >= end));
  const fresh = bursts.slice(0, late === -1 ? bursts.length : late).flat();
  const admitted = fresh.filter(isAdmitted);
  const told = admitted.map(({ verdict }) => verdict.total?.remaining).toSorted(byNumber);
  const expected = admitted.map((_, i) => total - 1 - i).toSorted(byNumber);
  assert.deepEqual(told, expected, 'total');
  for (const client of ['a', 'b', 'c']) {
    const mine = admitted.filter((one) => one.client === client);
    const ownTold = mine.map(({ verdict }) => verdict.per_ip?.remaining).toSorted(byNumber);
    assert.deepEqual(ownTold, mine.map((_, i) => own - 1 - i).toSorted(byNumber), client);
  }
  for (const { client, verdict } of fresh) {
    const count = admitted.filter((one) => one.client === client).length;
    if (verdict.rejectedBy === 'per_ip') assert.equal(count, own, 'refused before the limit');
    if (verdict.rejectedBy === 'total')
      assert.equal(admitted.length, total, 'refused by the total');
  }
}

const byNumber = (a: number | undefined, b: number | undefined) => (a ?? 0) - (b ?? 0);

/** Fills a window through each replica, and sends the next request at the reset time. */
async function assertAdmittedAtReset(limiters: Limiter[], client: string): Promise<void> {
  for (let i = 0; i < REPLICAS; i += 1) {
    const limiter = limiters[i]!;
    for (let n = 0; n < 2000; n += 1) {
      const { rejectedBy, per_ip, total } = await limiter(client);
      if (rejectedBy === undefined) continue;
      const { resetMs } = (rejectedBy === 'per_ip' ? per_ip : total)!;
      await sleep(resetMs + 1);
      // The other window may refuse now: then its reset time comes.
      const next = await limiter(client);
      assert.notEqual(next.rejectedBy, rejectedBy, `refused by ${rejectedBy} after its reset time`);
      break;
    }
  }
}

describe('rate limits over several replicas of one Redis', () => {
  it('hold in every window, count in both or in none, and admit again at the reset time', async (t) => {
    await fc.assert(
      fc.asyncProperty(limits, schedule, async ({ own, total }, bursts) => {
        const limiters = openReplicas(own, total);
        const sent: Sent[][] = [];
        for (const { pauseMs, clients, replica, together } of bursts) {
          await sleep(pauseMs);
          // A total of hundreds is brought to its edge by hundreds.
          const repeat = total > 100 && own > 9 ? 8 : 1;
          const burst = Array.from({ length: repeat }, () => clients).flat();
          const all = burst.map((client, i) =>
            request(limiters[(replica + (together ? 0 : i)) % REPLICAS]!, client),
          );
          sent.push(await Promise.all(all));
        }
        const admitted = sent.flat().filter(isAdmitted);
        assertNeverMore(admitted, total);
        for (const client of ['a', 'b', 'c']) {
          assertNeverMore(
            admitted.filter((one) => one.client === client),
            own,
          );
        }
        assertCountsInBoth(sent, own, total);
        await assertAdmittedAtReset(limiters, 'a');
      }),
      // Shrinking would run for minutes where the clock is real.
      { numRuns: RUNS, endOnFailure: true },
    );
    t.diagnostic(`${RUNS} schedules`);
  });
});

const HOUR_MS = 3_600_000;

/** Percents of a window that pass before a batch. No sum of them is a little less than a hundred. */
const batches = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 0, 30, 45, 100, 200),
    clients: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 64 }),
    replica: fc.nat({ max: REPLICAS - 1 }),
    /** Some only look. */
    cost: fc.constantFrom(1, 1, 1, 0),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Counts as windows do, one request after the other, with a log of all admissions. */
function createModel(limits: { own: number; total: number }) {
  const log: { client: string; at: number }[] = [];
  return (client: string, cost: number, now: number) => {
    const inWindow = log.filter(({ at }) => now - at < 100);
    const own = limits.own - inWindow.filter((one) => one.client === client).length;
    const total = limits.total - inWindow.length;
    const rejectedBy = own < cost ? 0 : total < cost ? 1 : undefined;
    const counted = rejectedBy === undefined ? cost : 0;
    if (counted) log.push({ client, at: now });
    const left = (mine: number, of: { at: number }[]) => ({
      remaining: Math.max(0, mine - counted),
      reset: of.length + counted === 0 ? 0 : 100 - (now - (of[0]?.at ?? now)),
    });
    const mine = inWindow.filter((one) => one.client === client);
    return { rejectedBy, states: [left(own, mine), left(total, inWindow)] };
  };
}

describe('batches of one to sixty-four requests from several replicas', () => {
  it('are decided as one request after the other would be', async (t) => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ own: fc.integer({ min: 1, max: 30 }), total: fc.integer({ min: 1, max: 90 }) }),
        batches,
        async (limits, sent) => {
          const model = createModel(limits);
          const names = createNames(randomUUID(), 0);
          const replicas = connections.map((connection) =>
            createRedisWindows(plainRedisStore(connection), names),
          );
          const windowOf = (name: string, limit: number): Window => ({
            key: `{all}:${name}`,
            limit,
            windowMs: HOUR_MS,
            perProcessLimit: 1,
          });
          let now = 0;
          for (const { pause, clients, replica, cost } of sent) {
            now += pause;
            await passInRedis(connections[0]!, (pause / 100) * HOUR_MS);
            const verdicts = await Promise.all(
              clients.map((client) => {
                const own = windowOf(`own-${client}`, limits.own);
                const total = windowOf('total', limits.total);
                return replicas[replica]!.count([own, total], cost);
              }),
            );
            for (const [i, { rejectedBy, states }] of verdicts.entries()) {
              const expected = model(clients[i]!, cost, now);
              assert.equal(rejectedBy, expected.rejectedBy, `request ${i}`);
              for (const [w, state] of expected.states.entries()) {
                assert.equal(states[w]?.remaining, state.remaining, `request ${i}, window ${w}`);
                const reset = (states[w].resetMs / HOUR_MS) * 100;
                assert.ok(Math.abs(reset - state.reset) < 2, `${reset} is not ${state.reset}`);
              }
              decided += 1;
            }
          }
        },
      ),
      { numRuns: 10 * RUNS, endOnFailure: true },
    );
    t.diagnostic(`${decided} requests`);
  });
});
