import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/errors.js';
import { createSharedLimiter, type Limiter, type Verdict } from '../../src/limits/limiter.js';
import { createRefusals, type Refusals } from '../../src/limits/refusals.js';
import { createMemoryLimits } from '../../src/memory/limits.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const refusedByIp = (resetMs: number): Verdict => ({
  refusedBy: 'per_ip',
  per_ip: { limit: 5, remaining: 0, resetMs },
});
const refusedByTotal = (resetMs: number): Verdict => ({
  refusedBy: 'total',
  total: { limit: 9, remaining: 0, resetMs },
});
const admitted: Verdict = {
  per_ip: { limit: 5, remaining: 4, resetMs: 60_000 },
  total: { limit: 9, remaining: 8, resetMs: 60_000 },
};
const unavailable = () => new StoreUnavailableError('gone');

let clock: ManualClock;
/** What the shared windows say next, how long each answer takes, and who asked. */
let answers: (Verdict | Error)[];
let tripMs: number;
let asked: string[];
let refusals: Refusals;
beforeEach(() => {
  clock = manualClock();
  answers = [];
  tripMs = 0;
  asked = [];
  refusals = createRefusals({ clock, maxRefusals: 3 });
});

/** @param share what this process admits by itself */
function open(kind: 'weather' | 'searches' = 'weather', share = { perIp: 2, total: 20 }): Limiter {
  const perIp = { limit: share.perIp, windowSeconds: 60 };
  const total = { limit: share.total, windowSeconds: 60 };
  const limits = { perIp, total, replicasHint: 1, dryRun: false };
  return createSharedLimiter({
    kind,
    shared(client) {
      asked.push(client);
      clock.advance(tripMs);
      const answer = answers.shift() ?? admitted;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    local: createMemoryLimits({ limits, replicas: 1, clock })(kind),
    refusals,
    clock,
  });
}

describe('a refusal of the shared windows', () => {
  it('is repeated until the reset time without asking, with the wait that is left', async () => {
    const limiter = open();
    answers = [refusedByIp(40_000)];
    assert.deepEqual(await limiter('a', scope()), refusedByIp(40_000));
    clock.advance(10_000.5);
    assert.deepEqual(await limiter('a', scope()), refusedByIp(30_000));
    clock.advance(29_900);
    assert.deepEqual(await limiter('a', scope()), refusedByIp(100));
    assert.deepEqual(asked, ['a']);
    clock.advance(100);
    assert.deepEqual(await limiter('a', scope()), admitted);
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('never holds longer than the windows refuse, however long their answer takes', async () => {
    const limiter = open();
    tripMs = 80;
    answers = [refusedByIp(40_000)];
    // They may have decided as early as the request was sent.
    await limiter('a', scope());
    clock.advance(39_920);
    assert.deepEqual(await limiter('a', scope()), admitted);
  });

  it('tells a wait after which they admit, however long their answer takes', async () => {
    const limiter = open();
    tripMs = 80;
    answers = [refusedByIp(40_000)];
    // They may have decided as late as the answer came.
    await limiter('a', scope());
    clock.advance(18_920);
    assert.equal((await limiter('a', scope())).per_ip?.resetMs, 21_080);
  });

  it('holds a little shorter than the wait, because two clocks drift apart', async () => {
    const limiter = open();
    answers = [refusedByIp(3_600_000), refusedByIp(3600)];
    await limiter('a', scope());
    clock.advance(3_600_000 - 3600);
    await limiter('a', scope());
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('of one client is not that of another, nor of another kind of request', async () => {
    answers = [refusedByIp(40_000)];
    await open()('a', scope());
    assert.deepEqual(await open()('b', scope()), admitted);
    assert.deepEqual(await open('searches')('a', scope()), admitted);
  });

  it('by the total holds for all clients and kinds of request', async () => {
    const [weather, searches] = [open(), open('searches')];
    answers = [refusedByTotal(40_000)];
    await weather('a', scope());
    clock.advance(30_000);
    for (const limiter of [weather, searches]) {
      assert.deepEqual(await limiter('b', scope()), refusedByTotal(10_000));
    }
    assert.deepEqual(asked, ['a']);
    clock.advance(10_000);
    assert.deepEqual(await searches('b', scope()), admitted);
  });

  it('is remembered for so many clients only', async () => {
    const limiter = open();
    const clients = ['a', 'b', 'c', 'd'];
    answers = clients.map(() => refusedByIp(40_000));
    for (const client of clients) await limiter(client, scope());
    for (const client of ['b', 'c', 'd']) {
      assert.equal((await limiter(client, scope())).refusedBy, 'per_ip');
    }
    assert.deepEqual(asked, clients);
    assert.deepEqual(await limiter('a', scope()), admitted);
  });
});

describe('a limiter whose store is unavailable', () => {
  it('counts in this process, within its share', async () => {
    const limiter = open('weather', { perIp: 2, total: 3 });
    answers = Array.from({ length: 6 }, unavailable);
    const refusedBy = [];
    for (const client of ['a', 'a', 'a', 'b', 'b', 'b']) {
      refusedBy.push((await limiter(client, scope())).refusedBy);
    }
    assert.deepEqual(refusedBy, [undefined, undefined, 'per_ip', undefined, 'total', 'total']);
  });

  it('goes on from what it has let through before', async () => {
    const limiter = open('weather', { perIp: 5, total: 6 });
    for (const client of ['a', 'a', 'a', 'b']) await limiter(client, scope());
    answers = Array.from({ length: 3 }, unavailable);
    assert.equal((await limiter('a', scope())).per_ip?.remaining, 1);
    assert.equal((await limiter('b', scope())).total?.remaining, 0);
    assert.equal((await limiter('a', scope())).refusedBy, 'total');
  });

  it('asks the store again after a refusal of its own', async () => {
    const limiter = open();
    answers = Array.from({ length: 3 }, unavailable);
    await limiter('a', scope());
    await limiter('a', scope());
    assert.equal((await limiter('a', scope())).refusedBy, 'per_ip');
    assert.deepEqual(await limiter('a', scope()), admitted);
  });

  it('lets a fault through that is not an absence of the store', async () => {
    answers = [new TypeError('a bug')];
    await assert.rejects(async () => open()('a', scope()), /a bug/);
  });
});
