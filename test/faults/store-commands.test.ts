import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { attempt, burst, type Reply, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { anyClient } from '../support/http-client.js';

describe('an operator at work on Redis under load', () => {
  it('causes no error and no wrong data with FLUSHALL, SCRIPT FLUSH and CLIENT KILL again and again', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '1000', CACHE_TTL_SECONDS: '2' },
    });
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    const load = startLoad(t, {
      clients: 8,
      next: (count) => stack.url(placePath(count % 20)),
      headers: anyClient,
    });
    for (let round = 0; round < 10; round += 1) {
      await redis.flushall();
      await sleep(150);
      await redis.call('SCRIPT', 'FLUSH');
      await sleep(150);
      await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(150);
    }
    const replies = await load.stop();
    assert.deepEqual(
      Object.keys(tally(replies)).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    // Each place has weather of its own, and it does not change.
    const bodies = new Map<string, Set<string>>();
    for (const { url, text } of replies) {
      const path = new URL(url).search;
      bodies.set(path, (bodies.get(path) ?? new Set()).add(text));
    }
    assert.equal(bodies.size, 20);
    for (const [path, different] of bodies) assert.equal(different.size, 1, path);
  });

  it('leaves the limit exact and every search recorded after SCRIPT FLUSH', async (t) => {
    const LIMIT = 50;
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT) },
    });
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    await attempt(stack.url(placePath(1)), { headers: anyClient(1) });
    const replies: Reply[] = [];
    for (let round = 0; round < 8; round += 1) {
      const asked = burst(
        Array.from({ length: 10 }, () => stack.url(placePath(1))),
        { headers: { 'X-Forwarded-For': '192.0.2.1' } },
      );
      await redis.call('SCRIPT', 'FLUSH');
      replies.push(...(await asked));
    }
    assert.equal(tally(replies)['429'], 80 - LIMIT);

    const search = (city: string, cookie = '') =>
      attempt(stack.url(`/api/v1/weather?city=${city}&country=Germany`), {
        headers: { ...anyClient(2), ...(cookie && { cookie }) },
      });
    const first = await search('Berlin');
    const cookie = cookieOf(first);
    for (const city of ['Hamburg', 'Munich', 'Cologne']) {
      await redis.call('SCRIPT', 'FLUSH');
      assert.equal((await search(city, cookie)).status, 200);
    }
    const list = await attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });
    assert.match(list.text, /Cologne.*Munich.*Hamburg.*Berlin/);
  });
});
