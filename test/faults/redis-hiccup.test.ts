import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { delayReplies } from '../support/transient-delay.js';
import { suiteLifetime } from '../support/lifetime.js';
import { startLoad, tally, attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { createRandom } from '../support/random.js';
import { searchAt } from '../support/searches.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { anyClient, startBehindRelay, watchReadiness, changesOf } from '../support/slow-redis.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { startStack } from '../support/stack.js';
import { SEED } from '../support/seed.js';

const random = createRandom(SEED);

const PLACES = 3;
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_TOTAL: '100000' };

describe('a transient delay of Redis', () => {
  const lifetime = suiteLifetime();
  let stack: Awaited<ReturnType<typeof startBehindRelay>>;
  before(async () => {
    stack = await startBehindRelay(lifetime, { replicas: 2, env: ENV, places: PLACES });
  });

  for (const [lateMs, forMs] of [
    [200, 200],
    [400, 600],
    [700, 200],
    [400, 500],
  ] as const) {
    it(`of ${forMs} ms in which replies are ${lateMs} ms late is not reported, and no client is refused`, async (t) => {
      const { replicas, relay, url } = stack;
      const told = recordsFromNow(replicas);
      const ready = watchReadiness(replicas);
      const next = (count: number) => url(placePath(count % PLACES));
      const load = startLoad(t, { clients: 4, next, headers: anyClient });
      await sleep(300 + random.next() * 500);
      await delayReplies(relay, lateMs, forMs);
      await sleep(3500);
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
      assert.deepEqual(await ready.stop(), [200]);
      assert.deepEqual([...told.of('redis_unavailable'), ...told.of('redis_recovered')], []);
    });
  }
});

describe('a Redis that does not reply for a moment', () => {
  it('delays a request by 250 ms once: the next requests do not wait', async (t) => {
    const stack = await startBehindRelay(t, { replicas: 1, env: ENV, places: 1 });
    const { replicas, relays } = stack;
    const request = async (n: number) => {
      const began = performance.now();
      const { status } = await attempt(replicas[0]!.url + placePath(0), { headers: anyClient(n) });
      assert.equal(status, 200);
      return performance.now() - began;
    };
    relays[0]!.hold();
    const first = await request(1);
    const others: number[] = [];
    for (let n = 2; n < 12; n += 1) others.push(await request(n));
    relays[0]!.release();
    assert.ok(first >= 200, `${first} ms`);
    others.sort((a, b) => a - b);
    // The median: a busy machine delays single requests.
    assert.ok(others[5]! < 100, `${others.join(', ')} ms`);
  });
});

describe('one node of a cluster refuses connections for a moment', () => {
  it('that is not reported', async (t) => {
    const options = { replicas: 2, env: ENV, places: 1, topology: 'cluster' } as const;
    const { replicas, relays } = await startBehindRelay(t, options);
    // The faults of the start are over.
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
  it('afterwards searches are recorded again, and few records report it', async (t) => {
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
    assert.ok(changesOf(replica!).length <= 4, JSON.stringify(changesOf(replica!)));
  });
});
