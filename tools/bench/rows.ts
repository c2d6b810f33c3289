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

/** Digits after the point, where a row does not say it. */
const DIGITS: Readonly<Record<string, number>> = { '×': 2, ms: 1, s: 2 };

type Entry = Omit<Row, 'digits' | 'firstVersion'> & Partial<Row>;

const overRelease = (id: string, group: string, what: string, accepted: number): Entry => ({
  ...{ id, group, what: `${what} over that of the last release`, unit: '×' },
  ...{ target: { atMost: 1 }, accepted },
});

const TABLE: readonly Entry[] = [
  {
    id: 'hit-memory',
    group: 'hits',
    what: 'hit in memory, CPU over bare Koa',
    unit: '×',
    target: { atMost: 2.4 },
    accepted: 2.9,
    firstVersion: '7.0–7.5',
  },
  {
    id: 'hit-redis',
    group: 'hits',
    what: 'hit with Redis, CPU over bare Koa',
    unit: '×',
    target: { atMost: 2.6 },
    accepted: 3.1,
    firstVersion: '8.3–8.9',
  },
  {
    id: 'hit-redis-4',
    group: 'hits',
    what: 'hit with Redis at 4 connections, CPU over bare Koa',
    unit: '×',
    target: { atMost: 3.5 },
    accepted: 5.5,
  },
  {
    id: 'hit-throughput',
    group: 'hits',
    what: 'hit with Redis, throughput over the straightforward stack',
    unit: '×',
    target: { atLeast: 1.5 },
    accepted: 2.2,
    firstVersion: '0.65',
  },
  {
    id: 'redis-cpu',
    group: 'hits',
    what: "Redis's own CPU for a hit, over bare Koa's for a request",
    unit: '×',
    target: { atMost: 0.3 },
    accepted: 0.31,
    firstVersion: '1.4–1.5',
  },
  overRelease('hit-release', 'hits', "hit with Redis, a replica's CPU", 0.76),
  overRelease('redis-release', 'hits', "hit with Redis, Redis's CPU", 0.31),
  {
    id: 'refused-cpu',
    group: 'refused',
    what: 'refused client (429), CPU over bare Koa',
    unit: '×',
    target: { atMost: 2.1 },
    accepted: 2.3,
    firstVersion: '3.7',
  },
  {
    id: 'refused-commands',
    group: 'refused',
    what: 'refused client, commands to Redis until its reset time',
    unit: '',
    target: { atMost: 0 },
    accepted: 0,
    firstVersion: '1',
  },
  {
    id: 'trips',
    group: 'lone-hit',
    what: 'lone hit, trips to Redis that its answer waits for',
    unit: '',
    target: { atMost: 1 },
    accepted: 1,
    firstVersion: '4',
  },
  {
    id: 'commands',
    group: 'lone-hit',
    what: 'lone hit, commands to Redis',
    unit: '',
    target: { atMost: 2 },
    accepted: 2,
    firstVersion: '4',
  },
  {
    id: 'miss-calls',
    group: 'lone-miss',
    what: 'lone miss through a worker, longer than a direct call, in such calls',
    unit: '×',
    digits: 1,
    target: { atMost: 15 },
    accepted: 5.3,
  },
  {
    id: 'miss-hops',
    group: 'lone-miss',
    what: 'lone miss through a worker, in hops of a word by way of another process',
    unit: '×',
    digits: 1,
    target: { atMost: 6 },
    accepted: 11,
  },
  {
    id: 'miss-p99',
    group: 'lone-miss',
    what: 'lone miss through a worker, p99 over p50',
    unit: '×',
    digits: 1,
    target: { atMost: 3 },
    accepted: 2.3,
  },
  {
    id: 'miss-cpu',
    group: 'misses',
    what: 'CPU of a miss (replica, worker and Redis) over bare Koa',
    unit: '×',
    digits: 0,
    target: { atMost: 32 },
    accepted: 53,
  },
  overRelease('miss-release', 'misses', 'CPU of a miss (replica, worker and Redis)', 0.88),
  {
    id: 'cached-places',
    group: 'crowds',
    what: 'throughput with 100,000 cached places, over the plain case',
    unit: '×',
    target: { atLeast: 0.95 },
    accepted: 0.96,
    firstVersion: '0.87',
  },
  {
    id: 'addresses',
    group: 'crowds',
    what: 'throughput with 10,000 addresses, over the plain case',
    unit: '×',
    target: { atLeast: 0.95 },
    accepted: 0.89,
    firstVersion: '0.82',
  },
  {
    id: 'places',
    group: 'crowds',
    what: 'throughput of hits spread over 15,000 places, over the plain case',
    unit: '×',
    target: { atLeast: 0.93 },
    accepted: 0.85,
    firstVersion: '0.79',
  },
  {
    id: 'memory-start',
    group: 'memory',
    what: 'memory of a replica at its start',
    unit: 'MB',
    target: { atMost: 135 },
    accepted: 148,
  },
  {
    id: 'memory',
    group: 'memory',
    what: 'memory of a replica under load, at most',
    unit: 'MB',
    target: { atMost: 220 },
    accepted: 309,
    firstVersion: '287',
  },
  {
    id: 'memory-growth',
    group: 'memory',
    what: 'growth of a replica in crowds of 100,000',
    unit: 'MB',
    target: { atMost: 120 },
    accepted: 160,
  },
  {
    id: 'worker-memory',
    group: 'worker-memory',
    what: 'memory of a worker after 5,000 misses',
    unit: 'MB',
    target: { atMost: 110 },
    accepted: 129,
    firstVersion: '121–176',
  },
  {
    id: 'ready-memory',
    group: 'ready',
    what: 'spawn to ready, in memory, over the straightforward stack',
    unit: '×',
    target: { atMost: 1.2 },
    accepted: 1.44,
  },
  {
    id: 'ready',
    group: 'ready',
    what: 'spawn to ready, with Redis, over the straightforward stack',
    unit: '×',
    target: { atMost: 1.6 },
    accepted: 1.97,
  },
  {
    id: 'loop-delay',
    group: 'loop-delay',
    what: 'event-loop delay p99 at half the highest rate',
    unit: 'ms',
    target: { atMost: 20 },
    accepted: 11,
  },
];

export const ROWS: readonly Row[] = TABLE.map((row) => ({
  digits: DIGITS[row.unit] ?? 0,
  firstVersion: 'not measured',
  ...row,
}));
