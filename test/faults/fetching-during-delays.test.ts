import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import {
  startBehindRelays,
  type ProcessesBehindRelays,
} from '../support/processes-behind-relays.js';
import { delayReplies } from '../support/transient-delay.js';
import { assertOutcomes, burst } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { PATHS } from '../support/stub-provider.js';

const DELAY_MS = 600;
const PLACES = Array.from({ length: 32 }, (_, n) => 100 + n);

/** The largest number of calls to the provider for one place. */
function mostCalls({ upstream }: ProcessesBehindRelays): number {
  return Math.max(...PLACES.map((n) => upstream.count(PATHS.openMeteo, placeKey(n))));
}

describe('a transient delay of Redis while 32 cold places are requested', () => {
  // Relays: of the replica, then of the two workers.
  for (const [where, relays] of [
    ['the replica', [0]],
    ['a worker', [1]],
    ['the replica and the workers', [0, 1, 2]],
  ] as const) {
    it(`at ${where}: all are answered, and each process fetches a place once at most`, async (t) => {
      const env = { UPSTREAM_CONCURRENCY: '4' };
      const apart = await startBehindRelays(t, { replicas: 1, workers: 2, env });
      await workerFetches(apart);
      apart.upstream.reset();
      apart.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
      const delays = relays.map((n) => delayReplies(apart.relays[n]!, DELAY_MS, DELAY_MS));
      await sleep(20);
      const began = performance.now();
      assertOutcomes(await burst(PLACES.map((n) => apart.url(placePath(n)))), /^200 MISS$/);
      t.diagnostic(`${Math.round(performance.now() - began)} ms`);
      await Promise.all(delays);
      assert.ok(mostCalls(apart) <= 3);
      // A queue of 32 fetches in one process would take 4 s.
      const byWorkers = apart.workers.flatMap((worker) => worker.of('fetch')).length;
      assert.ok(byWorkers > 1, 'the workers were not used after the delay');
    });
  }
});
