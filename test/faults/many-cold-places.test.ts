import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

const COLD = 200;

describe('a crowd that is refused', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { UPSTREAM_CONCURRENCY: '2', REQUEST_TIMEOUT_MS: '3000' },
  });

  it('leaves nothing in the queue: nobody wants it any more', async () => {
    const { redis, upstream, url } = stackOf();
    upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 2500 });
    const replies = await burst(Array.from({ length: COLD }, (_, n) => url(placePath(3000 + n))));
    assert.ok((tally(replies)['503'] ?? 0) > COLD / 2, JSON.stringify(tally(replies)));
    const left = () =>
      administer(redis, async (client) => {
        const names = await client.keys('*');
        const queue = names.find((name) => name.endsWith(':fetches:wait'));
        const queued = await Promise.all(
          names.filter((name) => /:fetch\d+:/.test(name)).map((name) => client.hget(name, 'state')),
        );
        const jobs = queue === undefined ? 0 : await client.llen(queue);
        return jobs + queued.filter((state) => state === 'queued').length;
      });
    // What is queued and forgotten stays for 15 s.
    await eventually(async () => (await left()) === 0, 'an empty queue', 10_000);
  });
});

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
    const waits = replies
      .filter(({ status }) => status === 503)
      .map(({ headers }) => Number(headers['retry-after']));
    assert.deepEqual(
      waits.filter((seconds) => !(seconds >= 1)),
      [],
    );
    // A busy worker is neither dead nor turns away what it has taken.
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
