import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { memoryStore } from '../../src/memory/index.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { cachedSince } from '../../src/weather/cache-entry.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';

const lifecycle = createLifecycle({ log: recordingLog().log, delayMs: 0, timeoutMs: 0 });
const store = memoryStore({ config: loadConfig({}), clock: manualClock(), lifecycle });

describe('the store in memory', () => {
  for (const [use, maxKeys, maxInstants] of [
    ['limits', 100_000, 3_000_000],
    ['suggestions', 20_000, 500_000],
    ['budgets', 100, 1_000_000],
  ] as const) {
    it(`hold ${maxKeys} windows and ${maxInstants} instants of ${use}`, async () => {
      const windows = store.windows[use];
      const limit = maxInstants;
      const windowOf = (key: string) => ({ key, limit, windowMs: 1000, perProcessLimit: 1 });
      const used = async (key: string) =>
        limit - (await windows.count([windowOf(key)], 0)).states[0]!.remaining;
      for (let n = 0; n <= maxKeys; n += 1) await windows.count([windowOf(`${n}`)], 1);
      assert.deepEqual([await used('0'), await used('1')], [0, 1]);
      // Another window with the rest of the instants evicts the oldest one.
      const another = windowOf('another');
      for (let left = maxInstants - maxKeys + 1; left > 0; left -= 10_000) {
        await windows.count(Array<typeof another>(Math.min(left, 10_000)).fill(another), 1);
      }
      assert.deepEqual([await used('1'), await used('2')], [0, 1]);
      await windows.count([another], 1);
      assert.deepEqual([await used('2'), await used('3')], [0, 1]);
    });
  }

  it('hold 50,000 sessions', async () => {
    const search = { placeKey: 'key', city: 'Oslo', country: 'Norway', respondedAtUs: 1 };
    const { sessions } = store;
    for (let n = 0; n <= 50_000; n += 1) {
      await sessions.record({ id: `${n}`, confirmed: true }, search);
    }
    assert.deepEqual(await sessions.searches('0'), []);
    assert.equal((await sessions.searches('1')).length, 1);
  });

  it('hold 32 MB of cache entries of any size, and evict the least recently used one', () => {
    const ttl = { freshMs: 1000, staleMs: 0 };
    for (const size of [96, 1_600, 159_600]) {
      const entry = cachedSince({ value: 'x'.repeat(size - 2), provider: 'x' }, ttl, 0, 'fetch-1');
      const { near } = store;
      for (let n = 0; n <= 32_000_000 / (3 * size + 800); n += 1) {
        near.put(`${size} ${n}`, entry);
        near.peek(`${size} 0`);
      }
      const found = [0, 1, 2].map((n) => near.peek(`${size} ${n}`));
      assert.deepEqual(found, [entry, undefined, entry]);
    }
  });

  it('are healthy', () => {
    assert.deepEqual(store.state(), { check: 'not_configured', wasReached: true });
    assert.equal(store.startWorker(null as never).isHealthy(), true);
  });
});
