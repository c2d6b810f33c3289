import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createLimiter, type Limiter, type Verdict } from '../../src/limits/limiter.js';
import { withFallback } from '../../src/redis/windows-fallback.js';
import type { CountResult, Windows } from '../../src/limits/rate-limit-window.js';
import { manualClock, type ManualClock } from '../support/manual-clock.js';

const LIMITS = {
  perIp: { limit: 5, windowSeconds: 60 },
  total: { limit: 9, windowSeconds: 60 },
  fetchesPerIp: { limit: 0, windowSeconds: 60 },
  replicasHint: 1,
};
const quotas = { per_ip: LIMITS.perIp, total: LIMITS.total };
const perIp = (remaining: number, resetMs: number) => ({ limit: 5, remaining, resetMs });
const total = (remaining: number, resetMs: number) => ({ limit: 9, remaining, resetMs });
const admits: CountResult = { rejectedBy: undefined, states: [perIp(4, 60_000), total(8, 60_000)] };
const admitted: Verdict = { quotas, per_ip: perIp(4, 60_000), total: total(8, 60_000) };
const rejectsPerIp = (resetMs: number): CountResult => ({
  rejectedBy: 0,
  states: [perIp(0, resetMs), total(3, 1)],
});
const rejectsTotal = (resetMs: number): CountResult => ({
  rejectedBy: 1,
  states: [perIp(3, 1), total(0, resetMs)],
});
const rejectedByIp = (ms: number): Verdict => ({
  quotas,
  rejectedBy: 'per_ip',
  per_ip: perIp(0, ms),
});
const rejectedByTotal = (ms: number): Verdict => ({
  quotas,
  rejectedBy: 'total',
  total: total(0, ms),
});

let clock: ManualClock;
/** The next replies of the shared windows. */
let replies: CountResult[];
let replyTimeMs: number;
let isAvailable: boolean;
/** The clients whose windows were counted. */
let counted: string[];
let weather: Limiter;
let searches: Limiter;
beforeEach(() => {
  clock = manualClock();
  replies = [];
  replyTimeMs = 0;
  isAvailable = true;
  counted = [];
  const shared: Windows = {
    count([own]) {
      counted.push(own!.key.split(':').at(-1)!);
      clock.advance(replyTimeMs);
      return Promise.resolve(replies.shift() ?? admits);
    },
  };
  const windows = withFallback(shared, shared, clock, () => isAvailable);
  weather = createLimiter('weather', LIMITS, windows);
  searches = createLimiter('searches', LIMITS, windows);
});

describe('a rejection by Redis', () => {
  it('is repeated with the remaining wait, and costs Redis nothing', async () => {
    replies = [rejectsPerIp(25_000)];
    assert.deepEqual(await weather('a'), rejectedByIp(25_000));
    clock.advance(10_000.5);
    assert.deepEqual(await weather('a'), rejectedByIp(15_000));
    assert.deepEqual(counted, ['a']);
    clock.advance(15_000);
    assert.deepEqual(await weather('a'), admitted);
    assert.deepEqual(counted, ['a', 'a']);
  });

  it('is repeated for at most 30 seconds, then Redis decides', async () => {
    replies = [rejectsPerIp(3_600_000), rejectsPerIp(3_570_000)];
    await weather('a');
    clock.advance(29_999);
    assert.deepEqual(await weather('a'), rejectedByIp(3_570_001));
    assert.deepEqual(counted, ['a']);
    clock.advance(1);
    assert.deepEqual(await weather('a'), rejectedByIp(3_570_000));
    clock.advance(30_000);
    assert.deepEqual(await weather('a'), admitted);
    assert.deepEqual(counted, ['a', 'a', 'a']);
  });

  it('is not repeated while Redis is unavailable', async () => {
    replies = [rejectsPerIp(25_000)];
    await weather('a');
    isAvailable = false;
    assert.deepEqual(await weather('a'), admitted);
    isAvailable = true;
    assert.deepEqual(await weather('a'), rejectedByIp(25_000));
  });

  it('reports its wait from the arrival of the reply, and ends as if Redis had replied without delay', async () => {
    replyTimeMs = 80;
    replies = [rejectsPerIp(25_000)];
    await weather('a');
    clock.advance(3920);
    assert.equal((await weather('a')).per_ip?.resetMs, 21_080);
    clock.advance(21_000);
    assert.deepEqual(await weather('a'), admitted);
  });

  it('ends a little before the reset time, because two clocks drift apart', async () => {
    replies = [rejectsPerIp(20_000)];
    await weather('a');
    clock.advance(20_000 - 20);
    await weather('a');
    assert.deepEqual(counted, ['a', 'a']);
  });

  it('does not apply to another client or another kind of request', async () => {
    replies = [rejectsPerIp(25_000)];
    await weather('a');
    assert.deepEqual(await weather('b'), admitted);
    assert.deepEqual(await searches('a'), admitted);
  });

  it('by the total limit applies to all clients and kinds of request', async () => {
    replies = [rejectsTotal(25_000)];
    await weather('a');
    clock.advance(15_000);
    for (const limiter of [weather, searches]) {
      assert.deepEqual(await limiter('b'), rejectedByTotal(10_000));
    }
    assert.deepEqual(counted, ['a']);
    clock.advance(10_000);
    assert.deepEqual(await searches('b'), admitted);
  });

  it('is forgotten if there are more than 20,000 full windows', async () => {
    for (let n = 0; n <= 20_000; n += 1) {
      replies = [rejectsPerIp(25_000)];
      await weather(`${n}`);
    }
    replies = [];
    assert.equal((await weather('1')).rejectedBy, 'per_ip');
    assert.deepEqual(await weather('0'), admitted);
  });
});
