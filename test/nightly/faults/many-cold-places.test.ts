import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../../support/load.js';
import { QUEUE } from '../../support/names.js';
import { placePath } from '../../support/places.js';
import { useStack } from '../../support/shared-stack.js';
import { PATHS } from '../../support/stub-provider.js';
import { connectTo } from '../../support/use-redis.js';

const COLD = 200;

describe('more cold places than can be fetched in time', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { UPSTREAM_CONCURRENCY: '2', REQUEST_TIMEOUT_MS: '3000' },
  });

  it('are answered or rejected, hits continue, and no job is left', async (t) => {
    const { redis, upstream, replicas, url } = stackOf();
    await Promise.all(replicas.map((replica) => attempt(replica.url + placePath(0))));
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    const load = startLoad(t, { clients: 1, next: () => url(placePath(0)), pauseMs: 20 });
    const replies = await burst(Array.from({ length: COLD }, (_, n) => url(placePath(1000 + n))));
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    const { '200 MISS': misses = 0, '503': rejected = 0, ...others } = tally(replies);
    assert.deepEqual(others, {});
    assert.ok(misses > 0 && rejected > COLD / 2, JSON.stringify(tally(replies)));
    for (const { status, headers } of replies) {
      if (status === 503) assert.ok(Number(headers['retry-after']) >= 1, headers['retry-after']);
    }
    const client = connectTo(t, redis);
    const jobs = async () => (await client.keys(`${QUEUE}:fetch-*`)).length;
    await eventually(async () => (await jobs()) === 0, 'an empty queue');
  });
});
