import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';
import { assertOutcomes, attempt, burst, tally, type Reply } from './load.js';
import { placeKey, placePath, requestKey } from './places.js';
import type { Processes } from './stack.js';
import { PATHS } from './stand-in.js';

/**
 * How many of a place's fetches replicas made alone, as their records say: on a busy machine Redis
 * may get no processor for so long that it counts as away for a moment.
 */
export function fetchedAlone(processes: Processes, n: number): number {
  return processes.replicas
    .flatMap((one) => one.of('fetch'))
    .filter(({ key, uncoordinated }) => key === requestKey(n) && uncoordinated).length;
}

/** The upstream fetches of a place that all processes agreed on. */
export function agreedFetches(processes: Processes, n: number): number {
  return processes.upstream.count(PATHS.openMeteo, placeKey(n)) - fetchedAlone(processes, n);
}

/** Asserts that each process reported at most one MISS: its first request that waited for the fetch. */
export function assertMisses({ replicas }: Processes, replies: Reply[]): void {
  const { '200 MISS': misses = 0 } = tally(replies);
  assert.ok(misses >= 1 && misses <= replicas.length, `${misses} misses`);
  assertOutcomes(replies, /^200 (MISS|COALESCED|HIT)$/);
}

/**
 * Waits until a worker fetches what replicas ask for. A worker that has just found Redis shows itself
 * a moment later than the replicas are ready, and until then they fetch for themselves.
 * @param headers of the requests
 * @param limitMs a time that only a fault can take
 */
export async function workerFetches(
  processes: Processes,
  headers = {},
  limitMs = 20_000,
): Promise<void> {
  const fetches = () => processes.workers.flatMap((worker) => worker.of('fetch')).length;
  const before = fetches();
  let next = 900;
  await eventually(
    async () => {
      await attempt(processes.url(placePath(next)), { headers });
      next += 1;
      await sleep(100);
      return fetches() > before;
    },
    'a fetch by a worker',
    limitMs,
  );
}

/** So many clients ask for one place at the same moment, one replica after the other. */
export function crowd({ url }: Processes, n: number, clients = 100): Promise<Reply[]> {
  return burst(Array.from({ length: clients }, () => url(placePath(n))));
}
