import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hiccup } from '../support/hiccup.js';
import { suiteLifetime } from '../support/lifetime.js';
import { startLoad, tally, attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { anyClient, startBehindRelay, watchReadiness, changesOf } from '../support/slow-redis.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { startStack } from '../support/stack.js';

const PLACES = 3;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_TOTAL: '100000' };

describe('a hiccup of Redis', () => {
  const lifetime = suiteLifetime();
  let stack: Awaited<ReturnType<typeof startBehindRelay>>;
  before(async () => {
    stack = await startBehindRelay(lifetime, { replicas: 2, env: ENV, places: PLACES });
  });

  for (const [lateMs, forMs] of [
    [200, 200],
    [400, 600],
    [800, 200],
    [500, 500],
  ] as const) {
    it(`of ${forMs} ms, replies late by ${lateMs} ms: readiness and log say nothing`, async (t) => {
      const { replicas, relay, url } = stack;
      const told = recordsFromNow(replicas);
      const ready = watchReadiness(replicas);
      const next = (count: number) => url(placePath(count % PLACES));
      const load = startLoad(t, { clients: 4, next, headers: anyClient });
      await sleep(300 + Math.random() * 500);
      await hiccup(relay, lateMs, forMs);
      await sleep(3500);
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
      assert.deepEqual(await ready.stop(), [200]);
      const events = ['redis_unavailable', 'redis_reason_changed', 'redis_recovered'];
      assert.deepEqual(
        events.flatMap((event) => told.of(event)),
        [],
      );
    });
  }
});

describe('one node of a cluster refuses connections for a moment', () => {
  it('readiness and log say nothing', async (t) => {
    const options = { replicas: 2, env: ENV, places: 1, topology: 'cluster' } as const;
    const { replicas, relays } = await startBehindRelay(t, options);
    // What was wrong at the start is over.
    await sleep(1500);
    const told = recordsFromNow(replicas);
    const ready = watchReadiness(replicas);
    relays[0]!.cut();
    await sleep(100);
    relays[0]!.mend();
    await sleep(2500);
    assert.deepEqual(await ready.stop(), [200]);
    assert.deepEqual(told.of('redis_unavailable'), []);
  });
});

const FAULTS = 6;
const PAUSE_MS = 400;
const APART_MS = 2600;

describe('Redis pauses again and again', () => {
  it('afterwards searches are recorded again, and few records tell of it', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    const [replica] = stack.replicas;
    const search = (city: string, cookie = '') => searchAt(stack.url(''), city, { cookie });
    const cookie = cookieOf(await search('Berlin'));
    for (let n = 0; n < FAULTS; n += 1) {
      await stack.redis.kill('SIGSTOP');
      await search('Berlin', cookie);
      await sleep(PAUSE_MS);
      await stack.redis.kill('SIGCONT');
      if (n < FAULTS - 1) await sleep(APART_MS);
    }
    await eventually(async () => {
      assert.equal((await search('Hamburg', cookie)).status, 200);
      const list = await attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });
      return list.status === 200 && list.text.includes('Hamburg');
    }, 'a recorded search');
    // Recoveries are told 30 s apart.
    assert.ok(changesOf(replica!).length <= 6, JSON.stringify(changesOf(replica!)));
  });
});
