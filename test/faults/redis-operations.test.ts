import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst, type Reply, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { searchAt } from '../support/searches.js';
import { useStack } from '../support/shared-stack.js';
import { anyClient } from '../support/slow-redis.js';

const LIMIT = 50;

describe('an operator at work on Redis under load', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT), CACHE_TTL_SECONDS: '2' },
  });

  it('SCRIPT FLUSH: the limit stays exact, and every search is recorded', async () => {
    const { redis, url } = stackOf();
    const flushScripts = () => administer(redis, (client) => client.call('SCRIPT', 'FLUSH'));
    await attempt(url(placePath(1)), { headers: anyClient(1) });
    const replies: Reply[] = [];
    for (let round = 0; round < 8; round += 1) {
      const asked = burst(
        Array.from({ length: 10 }, () => url(placePath(1))),
        { headers: { 'X-Forwarded-For': '192.0.2.1' } },
      );
      await flushScripts();
      replies.push(...(await asked));
    }
    assert.equal(tally(replies)['429'], 80 - LIMIT);

    const search = (city: string, cookie = '') =>
      searchAt(url(''), city, { cookie, headers: anyClient(2) });
    const cookie = cookieOf(await search('Berlin'));
    for (const city of ['Hamburg', 'Munich', 'Cologne']) {
      await flushScripts();
      assert.equal((await search(city, cookie)).status, 200);
    }
    // A recording whose script Redis has forgotten is sent again, after its answer.
    await eventually(async () => {
      const { text } = await attempt(url('/api/v1/recent-searches'), { headers: { cookie } });
      return /Cologne.*Munich.*Hamburg.*Berlin/.test(text);
    }, 'the list of all');
  });

  it('FLUSHALL, SCRIPT FLUSH, CLIENT KILL again and again: no error, no wrong data', async (t) => {
    const { redis, url } = stackOf();
    const load = startLoad(t, {
      clients: 8,
      next: (count) => url(placePath(count % 20)),
      headers: (count) => anyClient(count + 1000),
    });
    for (let round = 0; round < 5; round += 1) {
      for (const disturb of [
        (client: Redis) => client.flushall(),
        (client: Redis) => client.call('SCRIPT', 'FLUSH'),
        (client: Redis) => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
      ]) {
        await administer(redis, disturb);
        await sleep(150);
      }
    }
    const replies = await load.stop();
    assertOutcomes(replies, /^200 (HIT|MISS|COALESCED)$/);
    // Each place has weather of its own, and it does not change.
    const bodies = new Map<string, Set<string>>();
    for (const { url: asked, text } of replies) {
      const path = new URL(asked).search;
      bodies.set(path, (bodies.get(path) ?? new Set()).add(text));
    }
    assert.equal(bodies.size, 20);
    for (const [path, different] of bodies) assert.equal(different.size, 1, path);
  });
});
