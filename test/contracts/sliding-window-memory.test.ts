import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LocalWindow } from '../../src/limits/sliding-window.js';
import { createMemorySlidingWindow } from '../../src/memory/sliding-window.js';
import { assertWithin } from './sliding-window.contract.js';

function openAt(options: {
  limit: number;
  windowSeconds: number;
  maxKeys: number;
  maxSlots?: number;
}) {
  const time = { now: 1000 };
  const window = createMemorySlidingWindow({
    maxSlots: 1e6,
    ...options,
    clock: { monotonic: () => time.now },
  });
  return { time, window };
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
  for (let i = 0; i < 2000; i += 1) window.consume(`warm ${i}`);
  const before = await heapAfterGc();
  for (let i = 0; i < keys; i += 1) {
    window.consume(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    afterEach();
  }
  return (await heapAfterGc()) - before;
}

describe('sliding window in memory, beyond the contract', () => {
  it('decides every request as a complete log of the admissions would', () => {
    const step = fc.tuple(fc.nat({ max: 700 }), fc.constantFrom('a', 'b', 'c'), fc.boolean());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step), (limit, steps) => {
        const { time, window } = openAt({ limit, windowSeconds: 1, maxKeys: 10 });
        const log: { key: string; at: number }[] = [];
        for (const [pause, key, takeBack] of steps) {
          time.now += pause;
          const counted = log.filter((entry) => entry.key === key && entry.at + 1000 > time.now);
          const state = window.consume(key);
          assert.equal(state.admitted, counted.length < limit);
          assert.equal(state.remaining, Math.max(0, limit - counted.length - 1));
          const oldest = counted[0]?.at ?? time.now;
          assert.equal(state.resetMs, oldest + 1000 - time.now);
          if (state.admitted && takeBack) window.refund(key, state);
          else if (state.admitted) log.push({ key, at: time.now });
        }
      }),
    );
  });

  it('refuses at most one slice too long where it rounds', () => {
    const { time, window } = openAt({ limit: 501, windowSeconds: 1, maxKeys: 10 });
    time.now = 1001;
    for (let i = 0; i < 501; i += 1) assert.equal(window.consume('a').admitted, true);
    time.now = 2001;
    assert.equal(window.consume('a').admitted, false);
    time.now = 2002;
    assert.equal(window.consume('a').admitted, true);
  });

  it('forgets the key that was admitted longest ago when there are too many', () => {
    const { window } = openAt({ limit: 1, windowSeconds: 60, maxKeys: 3 });
    for (const key of ['a', 'b', 'c', 'd']) window.consume(key);
    for (const key of ['b', 'c', 'd']) assert.equal(window.consume(key).admitted, false);
    assert.equal(window.consume('a').admitted, true);
  });

  it('holds no more memory than its bound asks for, whatever number of keys comes', async () => {
    const { window } = openAt({ limit: 30, windowSeconds: 60, maxKeys: 1000 });
    assertWithin(await growthByKeys(window, 100_000, () => undefined), -Infinity, 4e6);
  });

  it('forgets keys whose window is over without being asked for them', async () => {
    const { time, window } = openAt({ limit: 30, windowSeconds: 1, maxKeys: 100_000 });
    const growth = await growthByKeys(window, 100_000, () => {
      time.now += 1;
    });
    assertWithin(growth, -Infinity, 4e6);
  });

  it('keeps the memory of one key bounded whatever the limit', () => {
    const { time, window } = openAt({ limit: 1e9, windowSeconds: 1, maxKeys: 1 });
    const instants = new Set<number>();
    for (let i = 0; i < 10_000; i += 1) {
      time.now += 0.1;
      instants.add(window.consume('a').countedAt);
    }
    assertWithin(instants.size, 500, 502);
  });

  it('forgets the keys admitted longest ago when they hold too many slots', () => {
    const { time, window } = openAt({
      limit: 500,
      windowSeconds: 60,
      maxKeys: 100,
      maxSlots: 1500,
    });
    for (const key of ['a', 'b', 'c', 'd']) {
      for (let i = 0; i < 500; i += 1) {
        time.now += 0.01;
        assert.equal(window.consume(key).admitted, true);
      }
    }
    for (const key of ['b', 'c', 'd']) assert.equal(window.consume(key).admitted, false);
    assert.equal(window.consume('a').remaining, 499);
  });

  it('holds no more memory than its slots ask for, whatever number of keys is full', async () => {
    const { time, window } = openAt({
      limit: 500,
      windowSeconds: 3600,
      maxKeys: 1e5,
      maxSlots: 1e5,
    });
    // Full keys of eight thousand bytes each: unbounded it would be 8 MB.
    const growth = await growthByKeys(window, 1000, () => {
      for (let i = 0; i < 500; i += 1) {
        time.now += 0.01;
        window.consume(`full ${Math.floor(time.now / 5)}`);
      }
    });
    assertWithin(growth, -Infinity, 4e6);
  });
});
