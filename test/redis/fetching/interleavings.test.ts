import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { weatherRequest, requestKey } from '../../../src/weather/request.js';
import { createRandom, seedOf } from '../../support/random.js';
import { startRedis } from '../../support/redis-server.js';
import { SEED } from '../../support/seed.js';
import { eventually } from '../../support/eventually.js';
import { createWaiters, DEADLINE_MS } from './members/waiters.js';
import { createFaults, GARBAGE_LIFE_MS } from './members/faults.js';
import { startMember, type Member, type FetchBehaviour } from './members/member.js';
import { createChecker } from './members/checker.js';

/**
 * Draws the interleavings of the life of a fetch: several processes ask, take, fetch, fail, freeze
 * and die, and Redis is late, loses messages and forgets. At every moment holds:
 *
 * 1. At most one fetch of a key runs over all processes, but for a run that lost its record.
 * 2. A run that lost its record writes nothing, neither an entry nor a failure.
 * 3. Whoever asks has an answer by its deadline: data, or the failure of a fetch that was not over
 *    when it asked, or what is stale. One that was not disturbed has it promptly.
 * 4. Of all answers of one fetch only those say that they caused it that began it or ran it.
 * 5. A failure or garbage is never data.
 * 6. An older entry never comes after a newer one that is fresh.
 * 7. No command has an unforeseen answer, and nothing stays behind in Redis.
 *
 * `TEST_SEED` repeats the draws of a run, `FETCH_SECONDS` says for how long it draws.
 */
const SECONDS = Number(process.env['FETCH_SECONDS'] ?? 8);

const STEP_MS = 3;
const KEYS = 40;
const REPLICAS = 4;
const MAX_WORKERS = 2;
/** BullMQ's own books: a few, of bounded size, that live as long as the queue. */
const BOOKS = /:fetches:(meta|events|id|stalled-check|marker)$/;
/** Longer than the life of anything that a fetch leaves, and of the garbage that a failure leaves. */
const EMPTY_WITHIN_MS = GARBAGE_LIFE_MS + 10_000;

const requests = Array.from({ length: KEYS }, (_, n) =>
  weatherRequest({ latitude: 48, longitude: 11 + n / 100 }),
);

after(() => {
  // BullMQ goes on renewing the locks of a worker that was cut off from its Redis.
  setTimeout(() => process.exit(), 1000).unref();
});

describe('the life of a fetch', () => {
  it(`holds in random interleavings (TEST_SEED=${SEED})`, async (t) => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    const checker = await createChecker(server.url);
    const random = createRandom(SEED);
    const waiters = createWaiters(checker);
    const faults = createFaults({ redis, random, checker });
    const all: Member[] = [];
    let joined = 0;
    t.after(async () => {
      await Promise.all(all.map((member) => member.close()));
      checker.close();
      redis.disconnect();
      await server.stop();
    });

    /** The n-th fetch of a key behaves alike in each run of one seed. */
    const fetchesOf = new Map<string, number>();
    function behaviourOf(key: string): FetchBehaviour {
      const n = (fetchesOf.get(key) ?? 0) + 1;
      fetchesOf.set(key, n);
      const draw = createRandom(seedOf(`${SEED} ${key} ${n}`));
      return draw.weighted<FetchBehaviour>([
        [50, { afterMs: draw.between(0, 60), fails: false }],
        [20, { afterMs: draw.between(60, 1200), fails: false }],
        [12, { afterMs: draw.between(0, 60), fails: true }],
        [6, { afterMs: draw.between(60, 1200), fails: true }],
        [3, { afterMs: draw.between(3000, 5000), fails: draw.chance(0.5) }],
      ]);
    }

    async function join(isWorker: boolean): Promise<Member> {
      joined += 1;
      // Ids of fetches begin with it: each is of one process only.
      const name = `${isWorker ? 'worker' : 'replica'}${joined}`;
      const member = await startMember({ name, port: server.port, isWorker, checker, behaviourOf });
      all.push(member);
      return member;
    }
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => join(false)));
    const workers: Member[] = [await join(true)];

    async function replace(list: Member[], index: number, leave: (old: Member) => unknown) {
      const old = list[index];
      if (!old) return;
      list.splice(index, 1);
      await leave(old);
      await sleep(random.between(0, 1000));
      list.push(await join(list === workers));
    }
    const kill = (old: Member) => {
      old.kill();
    };
    const anyMember = () => random.pick([...replicas, ...workers]);
    const anyRequest = () => random.pick(requests);
    const anyKey = () => requestKey(anyRequest());
    const later: Promise<unknown>[] = [];

    const steps: [weight: number, name: string, step: () => unknown][] = [
      [
        800,
        'ask',
        () => {
          waiters.ask(random.pick(replicas), anyRequest());
        },
      ],
      [
        60,
        'leave',
        () => {
          waiters.ask(random.pick(replicas), anyRequest(), random.between(1, 900));
        },
      ],
      [20, 'pause', () => undefined],
      [
        6,
        'freeze',
        () => {
          faults.freeze(anyMember());
        },
      ],
      [8, 'lose announcements', () => later.push(faults.loseAnnouncements(anyMember()))],
      [4, 'lose connection', () => later.push(faults.loseConnection(anyMember()))],
      [6, 'late replies', () => later.push(faults.lateReplies(anyMember()))],
      [10, 'forget', () => faults.forget(anyKey())],
      [30, 'garble', () => faults.garble(anyKey())],
      [4, 'garble channel', () => faults.garbleChannel()],
      [1, 'flush', () => faults.flush()],
      [1, 'forget scripts', () => faults.forgetScripts()],
      [1.5, 'kill replica', () => replicas.length > 2 && later.push(replace(replicas, 0, kill))],
      [2.5, 'kill worker', () => later.push(replace(workers, 0, kill))],
      [1, 'retire worker', () => later.push(replace(workers, 0, (old) => old.retire()))],
      [1, 'add worker', async () => workers.length < MAX_WORKERS && workers.push(await join(true))],
    ];
    const counts: Record<string, number> = {};
    let due = performance.now();
    const until = due + SECONDS * 1000;
    while (due < until) {
      const [name, step] = random.weighted(steps.map(([w, n, s]) => [w, [n, s] as const]));
      counts[name] = (counts[name] ?? 0) + 1;
      await step();
      // A busy machine gets as many steps, in larger bunches.
      due += name === 'pause' ? random.between(20, 200) : STEP_MS;
      if (due > performance.now()) await sleep(due - performance.now());
      else if (counts[name] % 10 === 0) await sleep(0);
    }

    await Promise.all(later);
    if (workers.length === 0) workers.push(await join(true));
    for (const request of requests) waiters.ask(replicas[0]!, request);
    await eventually(() => waiters.pending === 0, 'all answers', DEADLINE_MS + 10_000);
    const left = async () => (await redis.keys('*')).filter((name) => !BOOKS.test(name));
    await eventually(
      async () => (await left()).length === 0,
      'an empty Redis',
      EMPTY_WITHIN_MS,
    ).catch(async () => {
      for (const name of await left()) checker.violated(`${name} stays behind`);
    });
    waiters.finish();
    t.diagnostic(`steps ${JSON.stringify(counts)}`);
    t.diagnostic(`answers ${JSON.stringify(waiters.tally)}; ${checker.runs} runs`);
    assert.deepEqual(checker.violations, []);
    assert.ok(checker.runs > 100, `only ${checker.runs} runs`);
  });
});
