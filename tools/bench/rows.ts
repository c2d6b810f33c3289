/** One line of the benchmark's result: a figure of this checkout divided by the same figure of the other version. */
export interface Row {
  /** The name that `--only` takes. */
  id: string;
  what: string;
}

/** The ratio that we aim for. */
export const TARGET = 1;

/** By how much a ratio may miss the target before `--check` fails. Two runs on a quiet machine differ by less. */
export const TOLERANCE = 0.1;

export const ROWS: readonly Row[] = [
  { id: 'hit-memory', what: 'CPU time of a hit in memory' },
  { id: 'hit-redis', what: 'CPU time of a hit with Redis, replica' },
  { id: 'hit-redis-server', what: 'CPU time of a hit with Redis, Redis' },
  { id: 'rejected', what: 'CPU time of a rejected request (429) with Redis, replica' },
  { id: 'miss-cpu', what: 'CPU time of a miss: replica, worker, and Redis' },
  { id: 'miss-time', what: 'duration of a single miss through a worker, median' },
  { id: 'start-memory', what: 'time from start to ready, in memory' },
  { id: 'start-redis', what: 'time from start to ready, with Redis' },
  { id: 'memory-start', what: 'memory of a replica after its start' },
  { id: 'memory-peak', what: 'highest memory of a replica during crowds of 100,000' },
  { id: 'memory-worker', what: 'memory of a worker after 5,000 misses' },
];

/** Whether a ratio is above the target by more than `TOLERANCE`. */
export function missesTarget(ratio: number): boolean {
  return ratio > TARGET + TOLERANCE;
}
