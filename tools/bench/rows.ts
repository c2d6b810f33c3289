/** One line of the benchmark's result: a figure of this checkout divided by the same figure of a reference. */
export interface Row {
  /** The name that `--only` takes. */
  id: string;
  what: string;
  /** The reference of the ratio: the other version, or the straightforward stack (`programs/`). */
  reference: 'other version' | 'straightforward stack';
  /** The ratio that we aim for. `--check` allows `TOLERANCE` more. */
  target: { atMost: number } | { atLeast: number };
}

/** By how much a ratio may miss its target before `--check` fails. Two runs on a quiet machine differ by less. */
export const TOLERANCE = 0.1;

const besideOtherVersion = (id: string, what: string): Row => ({
  id,
  what,
  reference: 'other version',
  target: { atMost: 1 },
});

export const ROWS: readonly Row[] = [
  besideOtherVersion('hit-memory', 'CPU time of a hit in memory'),
  besideOtherVersion('hit-redis', 'CPU time of a hit with Redis, replica'),
  besideOtherVersion('hit-redis-server', 'CPU time of a hit with Redis, Redis'),
  {
    id: 'hit-throughput',
    what: 'hits per second with Redis',
    reference: 'straightforward stack',
    target: { atLeast: 1.5 },
  },
  besideOtherVersion('rejected', 'CPU time of a rejected request (429) with Redis, replica'),
  besideOtherVersion('miss-cpu', 'CPU time of a miss: replica, worker, and Redis'),
  besideOtherVersion('miss-time', 'duration of a single miss through a worker, median'),
  besideOtherVersion('start-memory', 'time from start to ready, in memory'),
  besideOtherVersion('start-redis', 'time from start to ready, with Redis'),
  besideOtherVersion('memory-start', 'memory of a replica after its start'),
  besideOtherVersion('memory-peak', 'highest memory of a replica during crowds of 100,000'),
  besideOtherVersion('memory-worker', 'memory of a worker after 5,000 misses'),
];

/** The target of a row as text, for example `≤ 1`. */
export function targetText({ target }: Row): string {
  return 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
}

/** Whether a ratio is beyond the target of its row by more than `TOLERANCE`. */
export function missesTarget({ target }: Row, ratio: number): boolean {
  if ('atMost' in target) return ratio > target.atMost * (1 + TOLERANCE);
  return ratio < target.atLeast / (1 + TOLERANCE);
}
