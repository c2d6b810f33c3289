import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { anyClient } from '../support/http-client.js';
import { assertOutcomes, startLoad, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { connectTo } from '../support/use-redis.js';

describe('an operator who works on Redis under load', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { TRUST_PROXY: '1', CACHE_TTL_SECONDS: '2' },
  });

  it('causes no error and no wrong data by FLUSHALL, SCRIPT FLUSH, and CLIENT KILL', async (t) => {
    const { redis, url } = stackOf();
    const client = connectTo(t, redis);
    const next = (count: number) => url(placePath(count % 20));
    const load = startLoad(t, { clients: 8, next, headers: anyClient });
    for (let round = 0; round < 5; round += 1) {
      await client.flushall();
      await sleep(150);
      await client.script('FLUSH');
      await sleep(150);
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(150);
    }
    const placesOf = (replies: Reply[]) => new Set(replies.map(({ url: requested }) => requested));
    // A job that FLUSHALL removes costs its place two seconds.
    await eventually(() => placesOf(load.replies).size >= 20, 'a response for each place');
    const replies = await load.stop();
    assertOutcomes(replies, /^200 (HIT|MISS|COALESCED)$/);
    // Each place has its own weather, which does not change.
    const bodies = new Map<string, Set<string>>();
    for (const { url: requested, text } of replies) {
      const { search } = new URL(requested);
      bodies.set(search, (bodies.get(search) ?? new Set()).add(text));
    }
    assert.equal(bodies.size, 20);
    for (const [place, texts] of bodies) assert.equal(texts.size, 1, place);
  });
});
