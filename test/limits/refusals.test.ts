import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/errors.js';
import { countInTurn, countTogether, type Limiter } from '../../src/limits/limiters.js';
import { createRefusals, createTotalRefusal } from '../../src/limits/refusals.js';
import type { SlidingWindow, Verdict, WindowPair } from '../../src/limits/sliding-window.js';
import { createMemorySlidingWindow } from '../../src/memory/sliding-window.js';
import { scope } from '../support/scope.js';
import { turn } from '../support/eventually.js';

const time = { now: 0 };
const clock = { monotonic: () => time.now };
const memory = (limit: number, windowSeconds = 60) =>
  createMemorySlidingWindow({ limit, windowSeconds, clock, maxKeys: 100, maxSlots: 10_000 });
const own = (resetMs: number): Verdict => ({
  refusedBy: 'own',
  own: { limit: 5, remaining: 0, resetMs },
});
const total = (resetMs: number): Verdict => ({
  refusedBy: 'total',
  total: { limit: 9, remaining: 0, resetMs },
});
const admitted: Verdict = {
  own: { limit: 5, remaining: 4, resetMs: 60_000 },
  total: { limit: 9, remaining: 8, resetMs: 60_000 },
};

describe('refusals that are known', () => {
  /** What the store says next, how long each answer takes, and who asked. */
  let answers: (Verdict | Error)[];
  let tripMs: number;
  let asked: string[];
  let totalRefusal: ReturnType<typeof createTotalRefusal>;
  beforeEach(() => {
    time.now = 1000;
    tripMs = 0;
    asked = [];
    answers = [];
    totalRefusal = createTotalRefusal();
  });

  const pair: WindowPair = {
    consume(client) {
      asked.push(client);
      time.now += tripMs;
      const answer = answers.shift() ?? admitted;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const open = (maxClients = 10): Limiter =>
    countTogether({
      pair,
      own: memory(2),
      total: memory(20),
      refusals: createRefusals({ clock, maxClients, total: totalRefusal }),
      clock,
    });

  it('are repeated until the reset time without asking, with the wait that is left', async () => {
    const limiter = open();
    answers = [own(40_000)];
    assert.deepEqual(await limiter('a', scope()), own(40_000));
    time.now += 10_000.5;
    assert.deepEqual(await limiter('a', scope()), own(30_000));
    time.now += 29_900;
    assert.deepEqual(await limiter('a', scope()), own(100));
    assert.deepEqual(asked, ['a']);
    time.now += 100;
    assert.deepEqual(await limiter('a', scope()), admitted);
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('never hold longer than the store refuses, however long its answer takes', async () => {
    const limiter = open();
    tripMs = 80;
    answers = [own(40_000)];
    // The store may have decided as early as the request was sent: at 1000.
    await limiter('a', scope());
    time.now = 41_000;
    assert.deepEqual(await limiter('a', scope()), admitted);
  });

  it('tell a wait after which the store admits, however long its answer takes', async () => {
    const limiter = open();
    tripMs = 80;
    answers = [own(40_000)];
    await limiter('a', scope());
    // The store may have decided as late as the answer came: at 1080.
    time.now = 20_000;
    assert.equal((await limiter('a', scope())).own?.resetMs, 21_080);
  });

  it('hold a little shorter than the wait, because two clocks drift apart', async () => {
    const limiter = open();
    answers = [own(3_600_000), own(3600)];
    await limiter('a', scope());
    time.now += 3_600_000 - 3600;
    await limiter('a', scope());
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('of one client are not those of another', async () => {
    const limiter = open();
    answers = [own(40_000)];
    await limiter('a', scope());
    assert.deepEqual(await limiter('b', scope()), admitted);
  });

  it('of the total refuse all clients and kinds of request', async () => {
    const [weather, searches] = [open(), open()];
    answers = [total(40_000)];
    await weather('a', scope());
    time.now += 30_000;
    for (const limiter of [weather, searches]) {
      assert.deepEqual(await limiter('b', scope()), total(10_000));
    }
    assert.deepEqual(asked, ['a']);
    time.now += 10_000;
    assert.deepEqual(await searches('b', scope()), admitted);
  });

  it('are bounded in number', async () => {
    const limiter = open(3);
    answers = ['a', 'b', 'c', 'd'].map(() => own(40_000));
    for (const client of ['a', 'b', 'c', 'd']) await limiter(client, scope());
    for (const client of ['b', 'c', 'd']) {
      assert.equal((await limiter(client, scope())).refusedBy, 'own');
    }
    assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
    assert.deepEqual(await limiter('a', scope()), admitted);
  });

  it('are those of the store only: what this process refused is asked again', async () => {
    const limiter = open();
    answers = Array.from({ length: 3 }, () => new StoreUnavailableError('gone'));
    await limiter('a', scope());
    await limiter('a', scope());
    assert.equal((await limiter('a', scope())).refusedBy, 'own');
    assert.deepEqual(await limiter('a', scope()), admitted);
  });

  it('are forgotten when a request of the client is taken back', async () => {
    const counted = { admitted: true, limit: 1, remaining: 0, resetMs: 60_000, countedAt: 1 };
    const refused = { ...counted, admitted: false, countedAt: -1 };
    const states = { own: [counted, refused, counted], total: [refused, counted] };
    let answerTotal: () => void = () => undefined;
    const ownWindow: SlidingWindow = {
      limit: 1,
      consume: () => Promise.resolve(states.own.shift() ?? counted),
      refund: () => Promise.resolve(),
    };
    const totalWindow: SlidingWindow = {
      limit: 1,
      consume: () =>
        new Promise((resolve) => {
          answerTotal = () => {
            resolve({ ...(states.total.shift() ?? counted), resetMs: 10 });
          };
        }),
      refund: () => Promise.resolve(),
    };
    const limiter = countInTurn({
      own: { shared: ownWindow, local: memory(9) },
      total: { shared: totalWindow, local: memory(9) },
      refusals: createRefusals({ clock, maxClients: 10, total: totalRefusal }),
      clock,
    });
    const first = limiter('a', scope());
    // The first holds the only place of its client while the total is asked.
    assert.equal((await limiter('a', scope())).refusedBy, 'own');
    answerTotal();
    assert.equal((await first).refusedBy, 'total');
    time.now += 10;
    const third = limiter('a', scope());
    await turn();
    answerTotal();
    assert.equal((await third).refusedBy, undefined);
  });
});
