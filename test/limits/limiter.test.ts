import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLimiter } from '../../src/limits/limiter.js';
import { createMemoryWindows } from '../../src/memory/windows.js';
import { manualClock } from '../support/manual-clock.js';

describe('a limit of more requests than a window keeps', () => {
  it('is held in parts of its window, so that the whole never admits more', async () => {
    const clock = manualClock();
    const windows = createMemoryWindows({ clock, maxKeys: 10, maxInstants: 1e6 });
    const off = { limit: 0, windowSeconds: 60 };
    const perIp = { limit: 150_001, windowSeconds: 60 };
    const limiter = createLimiter('weather', { perIp, total: off, replicasHint: 1 }, windows);
    let admitted = 0;
    for (let part = 0; part < 4; part += 1) {
      const first = await limiter('a');
      assert.deepEqual(first.per_ip, { limit: 37_500, remaining: 37_499, resetMs: 15_000 });
      for (let i = 1; i < 40_000; i += 1) {
        if ((await limiter('a')).refusedBy === undefined) admitted += 1;
      }
      admitted += 1;
      clock.advance(15_000);
    }
    assert.equal(admitted, 150_000);
  });
});
