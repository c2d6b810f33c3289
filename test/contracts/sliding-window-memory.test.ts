import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LocalWindow } from '../../src/limits/window.js';
import { createMemoryWindow } from '../../src/memory/window.js';
import { assertWithin } from './sliding-window.contract.js';

function openAt(options: {
  limit: number;
  windowMs: number;
  maxKeys: number;
  maxInstants?: number;
}) {
  const time = { now: 1000 };
  const clock = { monotonic: () => time.now };
  return { time, window: createMemoryWindow({ maxInstants: 1e6, ...options, clock }) };
}

async function heapAfterGc(): Promise<number> {
  // Garbage is collected for certain only when the engine is asked, here through its inspector.
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  return process.memoryUsage().heapUsed;
}

/** How many bytes the heap grows by when so many keys come; remembered, each takes about 300. */
async function growthByKeys(window: LocalWindow, keys: number, afterEach: () => void) {
  for (let i = 0; i < 2000; i += 1) window.count(`warm ${i}`);
  const before = await heapAfterGc();
  for (let i = 0; i < keys; i += 1) {
    window.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    afterEach();
  }
  return (await heapAfterGc()) - before;
}

describe('sliding window in memory, beyond the contract', () => {
  it('decides every request as a complete log of the admissions would', () => {
    const step = fc.tuple(fc.nat({ max: 700 }), fc.constantFrom('a', 'b', 'c'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step), (limit, steps) => {
        const { time, window } = openAt({ limit, windowMs: 1000, maxKeys: 10 });
        const log: { key: string; at: number }[] = [];
        for (const [pause, key] of steps) {
          time.now += pause;
          const counted = log.filter((entry) => entry.key === key && entry.at + 1000 > time.now);
          const seen = window.look(key);
          assert.equal(seen.remaining, limit - counted.length);
          const state = window.count(key);
          assert.equal(state.admitted, counted.length < limit);
          assert.equal(state.admitted, seen.admitted);
          assert.equal(state.remaining, Math.max(0, limit - counted.length - 1));
          assert.equal(state.resetMs, (counted[0]?.at ?? time.now) + 1000 - time.now);
          if (state.admitted) log.push({ key, at: time.now });
        }
      }),
    );
  });

  it('keeps a group until the last of it has left', () => {
    const { time, window } = openAt({ limit: 501, windowMs: 1000, maxKeys: 10 });
    for (let i = 0; i < 501; i += 1) {
      assert.equal(window.count('a').admitted, true);
      if (i === 0) time.now += 1;
    }
    time.now = 2000;
    assert.equal(window.count('a').admitted, false, 'the first came with the second');
    time.now = 2001;
    assert.equal(window.count('a').remaining, 500);
  });

  it('forgets the key that was admitted longest ago when there are too many', () => {
    const { window } = openAt({ limit: 1, windowMs: 60_000, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd']) window.count(key);
    for (const key of ['b', 'c', 'd']) assert.equal(window.count(key).admitted, false);
    assert.equal(window.count('a').admitted, true);
  });

  it('forgets the keys admitted longest ago when they hold too many instants', () => {
    const bounds = { maxKeys: 100, maxInstants: 1500 };
    const { time, window } = openAt({ limit: 500, windowMs: 60_000, ...bounds });
    for (const key of ['a', 'b', 'c', 'd']) {
      for (let i = 0; i < 500; i += 1) {
        time.now += 0.01;
        assert.equal(window.count(key).admitted, true);
      }
    }
    for (const key of ['b', 'c', 'd']) assert.equal(window.count(key).admitted, false);
    assert.equal(window.count('a').remaining, 499);
  });

  it('holds no more memory than its bound asks for, whatever number of keys comes', async () => {
    const { window } = openAt({ limit: 30, windowMs: 60_000, maxKeys: 1000 });
    assertWithin(await growthByKeys(window, 100_000, () => undefined), -Infinity, 4e6);
  });

  it('forgets keys whose window is over without being asked for them', async () => {
    const { time, window } = openAt({ limit: 30, windowMs: 1000, maxKeys: 100_000 });
    const growth = await growthByKeys(window, 100_000, () => {
      time.now += 1;
    });
    assertWithin(growth, -Infinity, 4e6);
  });

  it('holds no more memory than a key may have, however high the limit is', async () => {
    const { time, window } = openAt({ limit: 1e9, windowMs: 3_600_000, maxKeys: 1 });
    const before = await heapAfterGc();
    for (let i = 0; i < 500_000; i += 1) {
      time.now += 0.01;
      window.count('a');
    }
    // A log of all admissions would be 4 MB.
    assertWithin((await heapAfterGc()) - before, -Infinity, 1e6);
  });
});
