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
  return byReplicas(processes, n).filter(({ uncoordinated }) => uncoordinated).length;
}

const byReplicas = ({ replicas }: Processes, n: number) =>
  replicas.flatMap((one) => one.of('fetch')).filter(({ key }) => key === requestKey(n));

/** The upstream fetches of a place that all processes agreed on. */
export function agreedFetches(processes: Processes, n: number): number {
  return processes.upstream.count(PATHS.openMeteo, placeKey(n)) - fetchedAlone(processes, n);
}

/**
 * One request caused the fetch that all agreed on; the others waited for it or came after it. Another
 * one did if its replica ran the fetch: alone, or since a busy worker took too long to begin.
 */
export async function assertOneMiss(
  processes: Processes,
  n: number,
  replies: Reply[],
): Promise<void> {
  const { '200 MISS': misses = 0 } = tally(replies);
  assert.ok(misses >= 1);
  // Records are written in batches.
  await eventually(() => misses <= 1 + byReplicas(processes, n).length, `${misses} misses`);
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

/** A fetch that one process began and another one ran is a miss of each. */
export function assertTakenOver(processes: Processes, n: number, replies: Reply[]): void {
  const { '200 MISS': misses = 0 } = tally(replies);
  assert.ok(misses <= 2 + fetchedAlone(processes, n), `${misses} misses`);
  assertOutcomes(replies, /^200 (MISS|COALESCED|HIT)$/);
}
