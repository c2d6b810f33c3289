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
  target: { atMost: number } | { atLeast: number };
  /** What version 1.0.0 had, as text: it was measured before, on another machine. */
  firstVersion: string;
}

export const ROWS: readonly Row[] = [
  {
    id: 'hit-memory',
    group: 'hits',
    what: 'hit in memory, CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 3.4 },
    firstVersion: '7.0–7.5',
  },
  {
    id: 'hit-redis',
    group: 'hits',
    what: 'hit with Redis, CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 3.9 },
    firstVersion: '8.3–8.9',
  },
  {
    id: 'hit-throughput',
    group: 'hits',
    what: 'hit with Redis, throughput over the straightforward stack',
    unit: '×',
    digits: 2,
    target: { atLeast: 1.5 },
    firstVersion: '0.65',
  },
  {
    id: 'redis-cpu',
    group: 'hits',
    what: "Redis's own CPU for a hit, over bare Koa's for a request",
    unit: '×',
    digits: 2,
    target: { atMost: 0.5 },
    firstVersion: '1.4–1.5',
  },
  {
    id: 'refused-cpu',
    group: 'refused',
    what: 'refused client (429), CPU over bare Koa',
    unit: '×',
    digits: 2,
    target: { atMost: 2.5 },
    firstVersion: '3.7',
  },
  {
    id: 'refused-commands',
    group: 'refused',
    what: 'refused client, commands to Redis until its reset time',
    unit: '',
    digits: 0,
    target: { atMost: 0 },
    firstVersion: '1',
  },
  {
    id: 'trips',
    group: 'lone-hit',
    what: 'lone hit, trips to Redis one after the other',
    unit: '',
    digits: 0,
    target: { atMost: 1 },
    firstVersion: '4',
  },
  {
    id: 'commands',
    group: 'lone-hit',
    what: 'lone hit, commands to Redis',
    unit: '',
    digits: 0,
    target: { atMost: 1 },
    firstVersion: '4',
  },
  {
    id: 'miss-p50',
    group: 'lone-miss',
    what: 'lone miss through a worker, over the provider itself, p50',
    unit: 'ms',
    digits: 1,
    target: { atMost: 2.5 },
    firstVersion: '5.8',
  },
  {
    id: 'miss-p99',
    group: 'lone-miss',
    what: 'lone miss through a worker, over the provider itself, p99',
    unit: 'ms',
    digits: 1,
    target: { atMost: 7 },
    firstVersion: '11.8',
  },
  {
    id: 'miss-cpu',
    group: 'misses',
    what: 'CPU of a miss: replica, worker and Redis',
    unit: 'ms',
    digits: 2,
    target: { atMost: 1.2 },
    firstVersion: 'not measured',
  },
  {
    id: 'cached-places',
    group: 'crowds',
    what: 'throughput with 100,000 cached places, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.95 },
    firstVersion: '0.87',
  },
  {
    id: 'addresses',
    group: 'crowds',
    what: 'throughput with 10,000 addresses, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.95 },
    firstVersion: '0.82',
  },
  {
    id: 'places',
    group: 'crowds',
    what: 'throughput of hits spread over 15,000 places, over the plain case',
    unit: '×',
    digits: 2,
    target: { atLeast: 0.9 },
    firstVersion: '0.79',
  },
  {
    id: 'memory',
    group: 'memory',
    what: 'memory of a replica after the crowds',
    unit: 'MB',
    digits: 0,
    target: { atMost: 220 },
    firstVersion: '287',
  },
  {
    id: 'worker-memory',
    group: 'worker-memory',
    what: 'memory of a worker after 5,000 misses',
    unit: 'MB',
    digits: 0,
    target: { atMost: 100 },
    firstVersion: '121–176',
  },
  {
    id: 'ready',
    group: 'ready',
    what: 'spawn to ready',
    unit: 's',
    digits: 2,
    target: { atMost: 0.45 },
    firstVersion: '0.43',
  },
  {
    id: 'loop-delay',
    group: 'loop-delay',
    what: 'event-loop delay p99 at half the highest rate',
    unit: 'ms',
    digits: 1,
    target: { atMost: 20 },
    firstVersion: 'not measured',
  },
];
