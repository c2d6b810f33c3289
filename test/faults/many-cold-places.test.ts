import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stand-in.js';

const COLD = 200;

describe('many cold places at once', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { UPSTREAM_CONCURRENCY: '2', REQUEST_TIMEOUT_MS: '5000' },
  });

  it('cold places: each gets an answer or a refusal, hits go on, and nothing stays behind', async (t) => {
    const { redis, upstream, replicas, workers, url } = stackOf();
    await Promise.all(replicas.map((replica) => attempt(replica.url + placePath(0))));
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 50 });
    const load = startLoad(t, { clients: 1, next: () => url(placePath(0)), pauseMs: 20 });
    const replies = await burst(Array.from({ length: COLD }, (_, n) => url(placePath(1000 + n))));
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
    const { '200 MISS': misses = 0, '503': refused = 0, ...others } = tally(replies);
    assert.deepEqual(others, {});
    assert.ok(misses > 0);
    assert.equal(misses + refused, COLD);
    for (const { status, headers } of replies) {
      if (status === 503) assert.ok(Number(headers['retry-after']) >= 1);
    }
    // A busy worker is neither dead nor turns away what it has taken.
    for (const replica of replicas) assert.deepEqual(replica.of('worker_stalled'), []);
    for (const worker of workers) assert.deepEqual(worker.of('fetch_job_failed'), []);
    await eventually(
      async () => {
        const keys = await administer(redis, (client) => client.keys('*'));
        return !keys.some((key) =>
          /^weather:fetch\d+:|^\{weather:queue\d+\}:fetches:.*-.*-/.test(key),
        );
      },
      'an empty queue',
      40_000,
    );
  });
});
