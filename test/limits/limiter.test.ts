import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createLimiter,
  type Limiter,
  type RequestGroup,
  type Verdict,
} from '../../src/limits/limiter.js';
import type { Limit } from '../../src/limits/rate-limit-window.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { assertWithin } from '../support/assert-within.js';
import { manualClock } from '../support/manual-clock.js';

/** A request counts in the client's own window and in the total window, or in neither. */

const clock = manualClock();
const openWindows = () => createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 });

/** The limiters of all groups of requests over the same empty windows. */
function openAll(perIp: Limit, total: Limit): (group: RequestGroup) => Limiter {
  const windows = openWindows();
  return (group) =>
    createLimiter(group, { perIp, total, fetchesPerIp: off, replicasHint: 1 }, windows);
}

const openOne = (perIp: Limit, total: Limit) => openAll(perIp, total)('weather');

/** Longer than any test takes. */
const LONG_S = 3600;
const long = (limit: number): Limit => ({ limit, windowSeconds: LONG_S });
const off = long(0);

async function times(limiter: Limiter, client: string, n: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < n; i += 1) verdicts.push(await limiter(client));
  return verdicts;
}

const rejections = (verdicts: Verdict[]) => verdicts.map(({ rejectedBy }) => rejectedBy);

describe('the limiter', () => {
  it('reports both windows of an admitted request', async () => {
    const limiter = openOne({ limit: 2, windowSeconds: 60 }, long(10));
    assert.deepEqual(await limiter('a'), {
      quotas: { per_ip: { limit: 2, windowSeconds: 60 }, total: long(10) },
      per_ip: { limit: 2, remaining: 1, resetMs: 60_000 },
      total: { limit: 10, remaining: 9, resetMs: LONG_S * 1000 },
    });
    const { per_ip: own, total } = await limiter('b');
    assert.deepEqual([own?.remaining, total?.remaining], [1, 8]);
  });

  it('reports the window that rejected a request, and its wait', async () => {
    const limiter = openOne({ limit: 1, windowSeconds: 60 }, long(2));
    await times(limiter, 'a', 1);
    const byOwn = await limiter('a');
    assert.deepEqual(
      [byOwn.rejectedBy, byOwn.per_ip?.limit, byOwn.per_ip?.remaining, byOwn.total],
      ['per_ip', 1, 0, undefined],
    );
    assertWithin(byOwn.per_ip?.resetMs ?? 0, 1, 60_000);
    await times(limiter, 'b', 1);
    const byTotal = await limiter('c');
    assert.deepEqual([byTotal.rejectedBy, byTotal.per_ip], ['total', undefined]);
    assert.deepEqual([byTotal.total?.limit, byTotal.total?.remaining], [2, 0]);
    assertWithin(byTotal.total?.resetMs ?? 0, 60_001, LONG_S * 1000);
  });

  it('does not count a request toward the total limit if its own window rejects it', async () => {
    const limiter = openOne(long(2), long(5));
    assert.deepEqual(rejections(await times(limiter, 'a', 6)).filter(Boolean).length, 4);
    assert.deepEqual(rejections(await times(limiter, 'b', 2)), [undefined, undefined]);
    assert.equal((await limiter('c')).total?.remaining, 0);
  });

  it('does not count a request in its own window if the total limit rejects it', async () => {
    const total = { limit: 1, windowSeconds: 60 };
    const limiter = openOne(long(2), total);
    await times(limiter, 'a', 1);
    assert.deepEqual(rejections(await times(limiter, 'b', 3)), Array(3).fill('total'));
    clock.advance(60_000);
    assert.equal((await limiter('b')).per_ip?.remaining, 1);
  });

  it('counts a named client in its own window, from whatever IP, and by its own limit not in the total', async () => {
    const limiters = openAll(long(2), long(5));
    const limiter = limiters('weather');
    const plain = { name: '203.0.113.1' };
    const own = { name: 'own', limit: long(3) };
    assert.equal((await limiter('203.0.113.1')).per_ip?.remaining, 1);
    const first = await limiter('203.0.113.1', plain);
    assert.deepEqual([first.per_client?.remaining, first.total?.remaining], [1, 3]);
    assert.equal((await limiter('203.0.113.2', plain)).per_client?.remaining, 0);
    assert.equal((await limiter('203.0.113.3', plain)).rejectedBy, 'per_client');
    for (const remaining of [2, 1, 0]) {
      const { per_client: state, total } = await limiter(`198.51.100.${remaining}`, own);
      assert.deepEqual([state?.remaining, total], [remaining, undefined]);
    }
    assert.equal((await limiter('a', own)).rejectedBy, 'per_client');
    assert.equal((await limiters('searches')('a', own)).per_client?.remaining, 2);
    assert.equal((await limiters('suggestions')('a', own)).per_client?.remaining, 29);
    assert.equal((await limiter('b')).total?.remaining, 1);
  });

  it('counts the fetches of a client IP and of a named client each in a window of their own', async () => {
    const limits = { perIp: off, total: off, fetchesPerIp: long(2), replicasHint: 1 };
    const limiter = createLimiter('fetches', limits, openWindows());
    const app = { name: 'app', limit: long(9) };
    assert.equal((await limiter('a')).fetches?.remaining, 1);
    assert.equal((await limiter('a')).rejectedBy, undefined);
    const rejected = await limiter('a');
    assert.deepEqual([rejected.rejectedBy, rejected.fetches?.limit], ['fetches', 2]);
    // The limit of the client is on requests, not on fetches.
    for (const ip of ['a', 'b']) assert.equal((await limiter(ip, app)).rejectedBy, undefined);
    assert.equal((await limiter('c', app)).rejectedBy, 'fetches');
    assert.equal((await limiter('b')).fetches?.remaining, 1);
    const gateway = { name: 'gateway', fetches: long(7) };
    assert.equal((await limiter('a', gateway)).fetches?.remaining, 6);
  });

  it('removes the newest request from all windows of a client', async () => {
    const limiters = openAll(long(2), long(9));
    await times(limiters('weather'), 'a', 2);
    await limiters('weather')('a', undefined, -1);
    const { per_ip: own, total } = await limiters('weather')('a');
    assert.deepEqual([own?.remaining, total?.remaining], [0, 7]);
  });

  it('counts searches in their own window and in the same total', async () => {
    const limiters = openAll(long(2), long(5));
    const searches = rejections(await times(limiters('searches'), 'a', 3));
    assert.deepEqual(searches, [undefined, undefined, 'per_ip']);
    const weather = await times(limiters('weather'), 'a', 3);
    assert.deepEqual(rejections(weather), [undefined, undefined, 'per_ip']);
    assert.deepEqual(weather[1]?.total?.remaining, 1);
  });

  it('admits ten times as many suggestions, and does not count them in the total', async () => {
    const limiters = openAll(long(1), long(5));
    const suggestions = await times(limiters('suggestions'), 'a', 11);
    assert.deepEqual(rejections(suggestions).indexOf('per_ip'), 10);
    assert.equal(suggestions[0]?.total, undefined);
    assert.equal((await limiters('weather')('a')).total?.remaining, 4);
  });

  it('applies one limit if the other is off, and none if both are off', async () => {
    const byAddress = openAll(long(1), off);
    assert.deepEqual(rejections(await times(byAddress('weather'), 'a', 2)), [undefined, 'per_ip']);
    assert.deepEqual(rejections(await times(byAddress('weather'), 'b', 1)), [undefined]);
    const unlimited = { quotas: { per_ip: undefined, total: undefined } };
    const inTotal = openAll(off, long(1))('weather');
    assert.deepEqual(rejections(await times(inTotal, 'a', 2)), [undefined, 'total']);
    assert.deepEqual(await times(openOne(off, off), 'a', 2), [unlimited, unlimited]);
  });
});
