import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createLimiter, type Limiter, type Verdict } from '../../src/limits/limiter.js';
import { rememberingRefusals } from '../../src/limits/refusals.js';
import type { Counted, Windows } from '../../src/limits/windows.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const LIMITS = {
  perIp: { limit: 5, windowSeconds: 60 },
  total: { limit: 9, windowSeconds: 60 },
  replicasHint: 1,
};
const perIp = (remaining: number, resetMs: number) => ({ limit: 5, remaining, resetMs });
const total = (remaining: number, resetMs: number) => ({ limit: 9, remaining, resetMs });
const admits: Counted = { refusedBy: undefined, states: [perIp(4, 60_000), total(8, 60_000)] };
const admitted: Verdict = { per_ip: perIp(4, 60_000), total: total(8, 60_000) };
const perIpRefuses = (resetMs: number): Counted => ({
  refusedBy: 0,
  states: [perIp(0, resetMs), total(3, 1)],
});
const totalRefuses = (resetMs: number): Counted => ({
  refusedBy: 1,
  states: [perIp(3, 1), total(0, resetMs)],
});
const refusedByIp = (ms: number): Verdict => ({ refusedBy: 'per_ip', per_ip: perIp(0, ms) });
const refusedByTotal = (ms: number): Verdict => ({ refusedBy: 'total', total: total(0, ms) });

let clock: ManualClock;
/** What the shared windows say next, how long each answer takes, and whose windows were asked. */
let answers: Counted[];
let tripMs: number;
let asked: string[];
let weather: Limiter;
let searches: Limiter;
beforeEach(() => {
  clock = manualClock();
  answers = [];
  tripMs = 0;
  asked = [];
  const shared: Windows = {
    count([own]) {
      asked.push(own!.key.split(':').at(-1)!);
      clock.advance(tripMs);
      return Promise.resolve(answers.shift() ?? admits);
    },
  };
  const windows = rememberingRefusals(shared, { clock, maxRefusals: 3 });
  weather = createLimiter('weather', LIMITS, windows);
  searches = createLimiter('searches', LIMITS, windows);
});

describe('a refusal of the shared windows', () => {
  it('is repeated until the reset time without asking, with the wait that is left', async () => {
    answers = [perIpRefuses(40_000)];
    assert.deepEqual(await weather('a'), refusedByIp(40_000));
    clock.advance(10_000.5);
    assert.deepEqual(await weather('a'), refusedByIp(30_000));
    clock.advance(29_900);
    assert.deepEqual(await weather('a'), refusedByIp(100));
    assert.deepEqual(asked, ['a']);
    clock.advance(100);
    assert.deepEqual(await weather('a'), admitted);
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('never holds longer than the windows refuse, however long their answer takes', async () => {
    tripMs = 80;
    answers = [perIpRefuses(40_000)];
    // They may have decided as early as the request was sent.
    await weather('a');
    clock.advance(39_920);
    assert.deepEqual(await weather('a'), admitted);
  });

  it('tells a wait after which they admit, however long their answer takes', async () => {
    tripMs = 80;
    answers = [perIpRefuses(40_000)];
    // They may have decided as late as the answer came.
    await weather('a');
    clock.advance(18_920);
    assert.equal((await weather('a')).per_ip?.resetMs, 21_080);
  });

  it('holds a little shorter than the wait, because two clocks drift apart', async () => {
    answers = [perIpRefuses(3_600_000), perIpRefuses(3600)];
    await weather('a');
    clock.advance(3_600_000 - 3600);
    await weather('a');
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('of one client is not that of another, nor of another kind of request', async () => {
    answers = [perIpRefuses(40_000)];
    await weather('a');
    assert.deepEqual(await weather('b'), admitted);
    assert.deepEqual(await searches('a'), admitted);
  });

  it('by the total holds for all clients and kinds of request', async () => {
    answers = [totalRefuses(40_000)];
    await weather('a');
    clock.advance(30_000);
    for (const limiter of [weather, searches]) {
      assert.deepEqual(await limiter('b'), refusedByTotal(10_000));
    }
    assert.deepEqual(asked, ['a']);
    clock.advance(10_000);
    assert.deepEqual(await searches('b'), admitted);
  });

  it('is remembered for so many clients only', async () => {
    const clients = ['a', 'b', 'c', 'd'];
    answers = clients.map(() => perIpRefuses(40_000));
    for (const client of clients) await weather(client);
    for (const client of ['b', 'c', 'd']) {
      assert.equal((await weather(client)).refusedBy, 'per_ip');
    }
    assert.deepEqual(asked, clients);
    assert.deepEqual(await weather('a'), admitted);
  });
});
