import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, startLoad, tally } from '../support/load.js';
import { eventually } from '../support/eventually.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';

describe('a hot place that has expired while every provider is down', () => {
  it('is fetched about once a second, and answered stale meanwhile', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' },
    });
    for (const replica of stack.replicas) await attempt(replica.url + placePath(1));
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    await sleep(1100);
    const started = performance.now();
    const load = startLoad(t, { clients: 10, next: () => stack.url(placePath(1)), pauseMs: 20 });
    await eventually(() => load.replies.length >= 600, 'answers');
    const replies = await load.stop();
    const seconds = (performance.now() - started) / 1000;
    assert.deepEqual(Object.keys(tally(replies)), ['200 STALE']);
    const failed = [...stack.replicas, ...stack.workers].flatMap((one) =>
      one.of('fetch').filter(({ outcome }) => outcome === 'failed'),
    );
    assert.ok(failed.length <= seconds + 2, `${failed.length} fetches in ${seconds} s`);
  });
});
