import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt, percentile, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { startProcesses } from '../support/stack.js';

describe('the master behind three sentinels', () => {
  for (const [what, signal] of [
    ['killed', 'SIGKILL'],
    ['hung', 'SIGSTOP'],
  ] as const) {
    it(`${what}: the service follows to the new one`, async (t) => {
      const set = await startSentinelSet();
      const env = { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master };
      const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store: set });
      const { replicas, workers } = processes;
      await Promise.all(replicas.map((replica) => becomesReady(replica)));
      for (const replica of replicas)
        for (const n of [0, 1]) await attempt(replica.url + placePath(n));

      const load = startLoad(t, { clients: 4, next: (n) => processes.url(placePath(n % 2)) });
      const old = await set.current();
      await old.kill(signal);
      await eventually(async () => (await set.current()) !== old, 'another master');
      const chosen = Date.now();
      await Promise.all(replicas.map((replica) => becomesReady(replica, 5000)));
      t.diagnostic(`ready ${Date.now() - chosen} ms after the sentinels chose`);

      // The queue and its announcements have moved as well: the worker fetches again.
      let place = 10;
      const fetched = workers[0]!.of('fetch').length;
      await eventually(
        async () => {
          const { status } = await attempt(processes.url(placePath(place++)));
          assert.equal(status, 200);
          return workers[0]!.of('fetch').length > fetched;
        },
        'a fetch by the worker',
        30_000,
      );
      t.diagnostic(`the worker fetches ${Date.now() - chosen} ms after it`);
      const replies = await load.stop();
      assert.deepEqual(Object.keys(tally(replies)), ['200 HIT']);
      assert.ok(percentile(replies, 1) < 2000, `${percentile(replies, 1)} ms at most`);
    });
  }
});
