import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { changesOf } from '../support/slow-redis.js';
import { startStack } from '../support/stack.js';

const FAULTS = 6;
const PAUSE_MS = 400;
const APART_MS = 2600;
/** After repeated faults Redis is used again within this; the rest is for a busy machine. */
const USED_WITHIN_MS = 10_000 + 1500;

describe('Redis pauses again and again', () => {
  it('afterwards searches are recorded within 10 s, and few records tell of it', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    const [replica] = stack.replicas;
    const search = (city: string, cookie = '') =>
      attempt(stack.url(`/api/v1/weather?city=${city}&country=Germany`), {
        headers: cookie ? { cookie } : {},
      });
    const cookie = cookieOf(await search('Berlin'));
    for (let n = 0; n < FAULTS; n += 1) {
      await stack.redis.kill('SIGSTOP');
      await search('Berlin', cookie);
      await sleep(PAUSE_MS);
      await stack.redis.kill('SIGCONT');
      if (n < FAULTS - 1) await sleep(APART_MS);
    }
    const ended = performance.now();
    await eventually(async () => {
      assert.equal((await search('Hamburg', cookie)).status, 200);
      const list = await attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });
      return list.status === 200 && list.text.includes('Hamburg');
    }, 'a recorded search');
    const usedAfter = performance.now() - ended;
    t.diagnostic(`used after ${usedAfter.toFixed()} ms; ${changesOf(replica!).length} changes`);
    assert.ok(usedAfter < USED_WITHIN_MS, `${usedAfter} ms`);
    // Recoveries are told 10 s apart.
    assert.ok(changesOf(replica!).length <= 6, JSON.stringify(changesOf(replica!)));
  });
});
