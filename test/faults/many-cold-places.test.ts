import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { names, QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

const CACHED = 0;
const FIRST_COLD = 1000;

describe('many cold places at once', () => {
  for (const [places, concurrency, delayMs] of [
    [600, 8, 300],
    [200, 2, 50],
    [100, 1, 50],
  ] as const) {
    it(`${places} with ${concurrency} calls at a time: an answer or a refusal, and nothing stays behind`, async (t) => {
      const stack = await startStack(t, {
        replicas: 2,
        workers: 1,
        env: { UPSTREAM_CONCURRENCY: String(concurrency), REQUEST_TIMEOUT_MS: '20000' },
      });
      const { upstream } = stack;
      await Promise.all(stack.replicas.map(({ url }) => attempt(url + placePath(CACHED))));
      upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs });
      const next = () => stack.url(placePath(CACHED));
      const load = startLoad(t, { clients: 1, next, pauseMs: 20 });
      const cold = Array.from({ length: places }, (_, n) => stack.url(placePath(FIRST_COLD + n)));
      const replies = await burst(cold);

      assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
      const { '200 MISS': misses = 0, '503': refused = 0, ...others } = tally(replies);
      assert.deepEqual(others, {});
      assert.ok(misses > 0);
      assert.equal(misses + refused, places);
      for (const { status, headers } of replies) {
        if (status === 503) assert.ok(Number(headers['retry-after']) >= 1);
      }
      // A busy worker is neither dead nor turns away what it has taken.
      for (const replica of stack.replicas) assert.deepEqual(replica.of('worker_stalled'), []);
      for (const worker of stack.workers) assert.deepEqual(worker.of('fetch_job_failed'), []);
      if (concurrency > 1) return;
      const redis = new Redis(stack.redis.url);
      t.after(() => {
        redis.disconnect();
      });
      const left = async () => [
        ...(await redis.keys(`${names.fetch('*').replace('{*}', '')}*`)),
        ...(await redis.keys(`${QUEUE}:*-*-*`)),
      ];
      await eventually(async () => (await left()).length === 0, 'an empty queue', 40_000);
    });
  }
});
