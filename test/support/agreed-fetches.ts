import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.js';
import { attempt, tally, type Reply } from './load.js';
import { nthPlace, placeKey, placePath } from './places.js';
import type { Processes } from './stack.js';
import { PATHS } from './stand-in.js';

/**
 * How many of a place's fetches replicas made alone, each with its record: on a busy machine Redis
 * may get no processor for so long that it counts as away for a moment.
 */
export function fetchedAlone({ replicas }: Processes, n: number): number {
  const { latitude, longitude } = nthPlace(n);
  const key = `weather:${latitude.toFixed(4)}:${longitude.toFixed(4)}`;
  const alone = replicas.flatMap((replica) => replica.of('fetch_uncoordinated'));
  return alone.filter((record) => record['key'] === key).length;
}

/** The upstream fetches of a place that all processes agreed on. */
export function agreedFetches(processes: Processes, n: number): number {
  return processes.upstream.count(PATHS.openMeteo, placeKey(n)) - fetchedAlone(processes, n);
}

/** One request caused the fetch that all agreed on; the others waited for it or came after it. */
export function assertOneMiss(processes: Processes, n: number, replies: Reply[]): void {
  const { '200 MISS': misses = 0, ...others } = tally(replies);
  assert.ok(misses >= 1 && misses <= 1 + fetchedAlone(processes, n), `${misses} misses`);
  const unforeseen = Object.keys(others).filter((o) => !/^200 (COALESCED|HIT)$/.test(o));
  assert.deepEqual(unforeseen, []);
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
