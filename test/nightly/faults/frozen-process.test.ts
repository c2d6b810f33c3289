import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { assertOutcomes, burst } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { startProcesses } from '../../support/stack.js';
import { PATHS } from '../../support/stub-provider.js';

/** The stub provider closes a connection 5 to 6 s after its last response. */
const FROZEN_MS = 8000;

it('a process that was frozen while calls waited for a connection counts no failure of a provider', async (t) => {
  const env = { UPSTREAM_CONCURRENCY: '4' };
  const { upstream, replicas, url } = await startProcesses(t, { replicas: 1, workers: 0, env });
  upstream.behaveAll({ kind: 'ok', delayMs: 600 });
  const replies = burst(Array.from({ length: 16 }, (_, n) => url(placePath(n))));
  await eventually(() => upstream.count(PATHS.openMeteo) === 4, 'calls in flight');
  replicas[0]!.kill('SIGSTOP');
  await sleep(FROZEN_MS);
  replicas[0]!.kill('SIGCONT');
  assertOutcomes(await replies, /^200 MISS$/);
  assert.deepEqual(replicas[0]!.of('upstream_failed'), []);
  assert.deepEqual(replicas[0]!.of('breaker_open'), []);
});
