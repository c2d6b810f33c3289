import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';
import { assertOutcomes, attempt, tally, type Reply } from './load.js';
import { placeKey, placePath, requestKey } from './places.js';
import type { Processes } from './stack.js';
import { PATHS } from './stub-provider.js';

/**
 * The number of upstream fetches of a place, without those that a replica made without
 * coordination: on a busy machine, Redis may be unavailable for a moment.
 */
export function coordinatedFetches({ replicas, upstream }: Processes, n: number): number {
  const uncoordinated = replicas
    .flatMap((replica) => replica.of('fetch'))
    .filter((record) => record['key'] === requestKey(n) && record['uncoordinated']);
  return upstream.count(PATHS.openMeteo, placeKey(n)) - uncoordinated.length;
}

/** Asserts that each process reported at most one MISS: its first request that waited. */
export function assertMisses({ replicas }: Processes, replies: Reply[]): void {
  const { '200 MISS': misses = 0 } = tally(replies);
  assert.ok(misses >= 1 && misses <= replicas.length, `${misses} misses`);
  assertOutcomes(replies, /^200 (MISS|COALESCED|HIT)$/);
}

/**
 * Waits until a worker runs the fetches of the replicas, which is a moment after they are ready.
 * @param headers of the requests
 */
export async function workerFetches(processes: Processes, headers = {}): Promise<void> {
  const fetches = () => processes.workers.flatMap((worker) => worker.of('fetch')).length;
  const before = fetches();
  let next = 900;
  await eventually(async () => {
    await attempt(processes.url(placePath(next)), { headers });
    next += 1;
    await sleep(100);
    return fetches() > before;
  }, 'a fetch by a worker');
}
