import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { describe, it } from 'node:test';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { assertWithin } from '../support/assert-within.js';
import {
  slidingWindowContract,
  windowOf,
  type WindowUnderTest,
} from './sliding-window.contract.js';

let now = 5_000_000;
slidingWindowContract('memory', {
  open: () => [
    createMemoryWindows({ clock: { monotonic: () => now }, maxKeys: 100, maxInstants: 100_000 }),
  ],
  pass(ms) {
    now += ms;
    return Promise.resolve();
  },
});

function openAt(options: {
  limit: number;
  windowMs: number;
  maxKeys: number;
  maxInstants?: number;
}) {
  const time = { now: 1000 };
  const clock = { monotonic: () => time.now };
  const { limit, windowMs, ...bounds } = options;
  const windows = createMemoryWindows({ maxInstants: 1e6, ...bounds, clock });
  return { time, window: windowOf(windows, limit, windowMs) };
}

async function heapAfterGc(): Promise<number> {
  // Garbage is collected for certain only when the engine is asked, here through its inspector.
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  return process.memoryUsage().heapUsed;
}

/** Bytes by which the heap grows with these keys. A key that is not evicted takes about 300. */
async function growthByKeys(window: WindowUnderTest, keys: number, afterEach: () => void) {
  for (let i = 0; i < 2000; i += 1) await window.count(`warm ${i}`);
  const before = await heapAfterGc();
  for (let i = 0; i < keys; i += 1) {
    await window.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    afterEach();
  }
  return (await heapAfterGc()) - before;
}

describe('sliding window in memory, beyond the contract', () => {
  it('evicts expired keys that no request names', async () => {
    const { time, window } = openAt({ limit: 30, windowMs: 1000, maxKeys: 100_000 });
    const growth = await growthByKeys(window, 30_000, () => {
      time.now += 1;
    });
    assertWithin(growth, -Infinity, 3e6);
  });

  it('does not grow by requests that have left it', async () => {
    // Room for the requests in the window, and for the expired ones until a quarter has expired.
    const { time, window } = openAt({ limit: 500, windowMs: 1000, maxKeys: 1, maxInstants: 700 });
    const remaining: number[] = [];
    for (let i = 0; i < 5500; i += 1) {
      time.now += 2;
      remaining.push((await window.count('a')).remaining);
    }
    // Beyond the bound, the window would have been evicted, and then have more requests left.
    assert.deepEqual(new Set(remaining.slice(500)), new Set([0]));
  });
});
