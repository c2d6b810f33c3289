import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt, startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startSentinelSet } from '../support/redis-sentinel.js';
import { startProcesses } from '../support/stack.js';

/** Asserts that the service uses the new master after the old one was killed or suspended. */
export async function assertUsesNewMaster(
  t: TestContext,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<void> {
  const set = await startSentinelSet();
  const env = { REDIS_SENTINELS: set.addresses, REDIS_SENTINEL_MASTER: set.master };
  const processes = await startProcesses(t, { replicas: 2, workers: 1, env, store: set });
  const { replicas, workers } = processes;
  await Promise.all(replicas.map((replica) => becomesReady(replica)));
  for (const replica of replicas) for (const n of [0, 1]) await attempt(replica.url + placePath(n));

  const load = startLoad(t, { clients: 4, next: (n) => processes.url(placePath(n % 2)) });
  const old = await set.current();
  await old.kill(signal);
  await eventually(async () => (await set.current()) !== old, 'another master');
  await Promise.all(replicas.map((replica) => becomesReady(replica)));

  // Jobs and messages work, too.
  let place = 10;
  const fetched = workers[0]!.of('fetch').length;
  await eventually(
    async () => {
      assert.equal((await attempt(processes.url(placePath(place++)))).status, 200);
      return workers[0]!.of('fetch').length > fetched;
    },
    'a fetch by the worker',
    30_000,
  );
  assert.deepEqual(Object.keys(tally(await load.stop())), ['200 HIT']);
}
