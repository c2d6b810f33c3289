/** The table of targets: every row that the benchmark measures, in the order in which it is shown. */
export interface Row {
  /** The name for `--only`. */
  id: string;
  /** Rows of one group are measured together; the group's name works for `--only`, too. */
  group: string;
  what: string;
  unit: string;
  /** Digits after the point. */
  digits: number;
  /** What we aim for. */
  target: { atMost: number } | { atLeast: number };
  /**
   * The last value that was accepted, the worse end of what docs/performance.md has: `--check` compares with it. A
   * change that makes it worse says so here, in the same commit.
   */
  accepted: number;
  /** What version 1.0.0 had, as text: it was measured before, on another machine. */
  firstVersion: string;
}

/** How much worse than accepted a value may be, by its unit: times depend on the machine, ratios and counts do not. */
export const MARGINS: Readonly<Record<string, number>> = {
  '': 0,
  '×': 0.25,
  MB: 0.15,
  ms: 1,
  s: 1,
};

export const ROWS: readonly Row[] = [
  {
    id: 'hit-memory',
    group: 'hits',
    what: 'hit in memory, CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 2.4 },
    accepted: 2.8,
    firstVersion: '7.0–7.5',
  },
  {
    id: 'hit-redis',
    group: 'hits',
    what: 'hit with Redis, CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 2.6 },
    accepted: 3.1,
    firstVersion: '8.3–8.9',
  },
  {
    id: 'hit-throughput',
    group: 'hits',
    what: 'hit with Redis, throughput over the straightforward stack',
    unit: '×',
    digits: 2,
    target: { atLeast: 1.5 },
    accepted: 1.6,
    firstVersion: '0.65',
  },
  {
    id: 'redis-cpu',
    group: 'hits',
    what: "Redis's own CPU for a hit, over bare Koa's for a request",
    unit: '×',
    digits: 2,
    target: { atMost: 0.3 },
    accepted: 0.27,
    firstVersion: '1.4–1.5',
  },
  {
    id: 'refused-cpu',
    group: 'refused',
    what: 'refused client (429), CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 2.1 },
    accepted: 2.6,
    firstVersion: '3.7',
  },
  {
    id: 'refused-commands',
    group: 'refused',
    what: 'refused client, commands to Redis until its reset time',
    unit: '',
    digits: 0,
    target: { atMost: 0 },
    accepted: 0,
    firstVersion: '1',
  },
  {
    id: 'trips',
    group: 'lone-hit',
    what: 'lone hit, trips to Redis one after the other',
    unit: '',
    digits: 0,
    target: { atMost: 1 },
    accepted: 1,
    firstVersion: '4',
  },
  {
    id: 'commands',
    group: 'lone-hit',
    what: 'lone hit, commands to Redis',
    unit: '',
    digits: 0,
    target: { atMost: 1 },
    accepted: 1,
    firstVersion: '4',
  },
  {
    id: 'miss-p50',
    group: 'lone-miss',
    what: 'lone miss through a worker, over the provider itself, p50',
    unit: 'ms',
    digits: 1,
    target: { atMost: 2.5 },
    accepted: 2.6,
    firstVersion: '5.8',
  },
  {
    id: 'miss-p99',
    group: 'lone-miss',
    what: 'lone miss through a worker, over the provider itself, p99',
    unit: 'ms',
    digits: 1,
    target: { atMost: 7 },
    accepted: 6.5,
    firstVersion: '11.8',
  },
  {
    id: 'miss-cpu',
    group: 'misses',
    what: 'CPU of a miss: replica, worker and Redis',
    unit: 'ms',
    digits: 2,
    target: { atMost: 1.2 },
    accepted: 1.43,
    firstVersion: 'not measured',
  },
  {
    id: 'cached-places',
    group: 'crowds',
    what: 'throughput with 100,000 cached places, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.95 },
    accepted: 1.04,
    firstVersion: '0.87',
  },
  {
    id: 'addresses',
    group: 'crowds',
    what: 'throughput with 10,000 addresses, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.95 },
    accepted: 0.98,
    firstVersion: '0.82',
  },
  {
    id: 'places',
    group: 'crowds',
    what: 'throughput of hits spread over 15,000 places, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.93 },
    accepted: 0.75,
    firstVersion: '0.79',
  },
  {
    id: 'memory-start',
    group: 'memory',
    what: 'memory of a replica at its start',
    unit: 'MB',
    digits: 0,
    target: { atMost: 135 },
    accepted: 155,
    firstVersion: 'not measured',
  },
  {
    id: 'memory',
    group: 'memory',
    what: 'memory of a replica under load, at most',
    unit: 'MB',
    digits: 0,
    target: { atMost: 220 },
    accepted: 270,
    firstVersion: '287',
  },
  {
    id: 'memory-growth',
    group: 'memory',
    what: 'growth of a replica in crowds of 100,000',
    unit: 'MB',
    digits: 0,
    target: { atMost: 120 },
    accepted: 115,
    firstVersion: 'not measured',
  },
  {
    id: 'worker-memory',
    group: 'worker-memory',
    what: 'memory of a worker after 5,000 misses',
    unit: 'MB',
    digits: 0,
    target: { atMost: 110 },
    accepted: 131,
    firstVersion: '121–176',
  },
  {
    id: 'ready-memory',
    group: 'ready',
    what: 'spawn to ready, in memory',
    unit: 's',
    digits: 2,
    target: { atMost: 0.35 },
    accepted: 0.35,
    firstVersion: 'not measured',
  },
  {
    id: 'ready',
    group: 'ready',
    what: 'spawn to ready, with Redis',
    unit: 's',
    digits: 2,
    target: { atMost: 0.45 },
    accepted: 0.49,
    firstVersion: '0.43',
  },
  {
    id: 'loop-delay',
    group: 'loop-delay',
    what: 'event-loop delay p99 at half the highest rate',
    unit: 'ms',
    digits: 1,
    target: { atMost: 20 },
    accepted: 11,
    firstVersion: 'not measured',
  },
];
