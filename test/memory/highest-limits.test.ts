import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import type { Window } from '../../src/limits/rate-limit-window.js';
import { memoryStores } from '../../src/memory/index.js';
import { manualClock } from '../support/manual-clock.js';

const HIGHEST = 1_000_000;
const config = loadConfig({
  RATE_LIMIT_PER_IP: String(HIGHEST),
  RATE_LIMIT_TOTAL: String(HIGHEST),
});

describe('two windows of the highest limit in the memory of a process', () => {
  it('admit exactly their limit, also while the memory of expired instants is in use', async () => {
    const clock = manualClock();
    const { windows } = memoryStores({ config, clock, ending: new AbortController().signal });
    const windowOf = (key: string): Window => ({
      key,
      limit: HIGHEST,
      windowMs: 60_000,
      perProcessLimit: 1,
    });
    const together = [windowOf('own'), windowOf('total')];
    async function admitted(requests: number): Promise<number> {
      let count = 0;
      for (let i = 0; i < requests; i += 1) {
        const { rejectedBy } = await windows.limits.count(together, 1);
        if (rejectedBy === undefined) count += 1;
      }
      return count;
    }
    assert.equal(await admitted(240_000), 240_000);
    clock.advance(30_000);
    assert.equal(await admitted(760_010), 760_000);
    clock.advance(30_000);
    assert.equal(await admitted(240_010), 240_000);
    const { states } = await windows.limits.count(together, 0);
    const full = { limit: HIGHEST, remaining: 0, resetMs: 30_000 };
    assert.deepEqual(states, [full, full]);
  });
});
