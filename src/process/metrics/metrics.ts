import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { createGauges, type MetricQueries } from './gauges.js';
import { LIMIT_NAMES } from '../../limits/limiter.js';
import type { Instruments } from '../../base/instruments.js';

const REQUEST_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const UPSTREAM_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The series of these labels begin at 0, so that the first event is an increase. */
const UPSTREAM_OUTCOMES = [
  'ok',
  'unavailable',
  'quota',
  'bad_answer',
  'not_covered',
  'no_data',
  'adapter_fault',
];
const EXPECTED_STATUSES = [200, 500, 503];
const REDIS_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the Prometheus metrics of this process. No label has a value that a client chooses. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <T extends string>(name: string, help: string, labelNames: T[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <T extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: T[] = [],
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  const gauges = createGauges(registers);

  const requests = histogram(
    'weather_http_request_duration_seconds',
    'Time from a request to its response',
    REQUEST_BUCKETS,
    ['route', 'method', 'status', 'client'],
  );
  const outcomes = counter('weather_cache_outcomes_total', 'Weather responses by cache outcome', [
    'outcome',
  ]);
  const rejections = counter('weather_rate_limit_refusals_total', 'Requests rejected by a limit', [
    'limit',
  ]);
  const wouldBeRejections = counter(
    'weather_rate_limit_would_refuse_total',
    'Requests that a limit would have rejected if it were not a dry run',
    ['limit'],
  );
  const overloads = counter('weather_overload_refusals_total', 'Requests shed because of overload');
  const upstream = histogram(
    'weather_upstream_request_duration_seconds',
    'Duration of calls to upstream services, without the wait for a concurrency slot',
    UPSTREAM_BUCKETS,
    ['provider', 'outcome'],
  );
  const redis = histogram(
    'weather_redis_command_duration_seconds',
    'Time until a Redis command had a reply or timed out',
    REDIS_BUCKETS,
  );
  const writesLost = counter(
    'weather_redis_writes_lost_total',
    'Writes to Redis that were lost: searches, entries',
    ['data'],
  );

  for (const data of ['search', 'entry']) writesLost.inc({ data }, 0);
  for (const outcome of ['hit', 'miss', 'coalesced', 'stale']) outcomes.inc({ outcome }, 0);
  for (const limit of LIMIT_NAMES) {
    rejections.inc({ limit }, 0);
    wouldBeRejections.inc({ limit }, 0);
  }
  let rendering: Promise<string> | undefined;

  return {
    watchRequests: gauges.watchRequests,
    /** Creates the gauges of these values, and begins the series of each provider at 0. */
    watch: (queries: MetricQueries): void => {
      for (const provider of queries.breakers.keys()) {
        for (const outcome of UPSTREAM_OUTCOMES) upstream.zero({ provider, outcome });
      }
      gauges.watch(queries);
    },
    /** Begins the series of these routes at 0, so that the first error is an increase. */
    expectRoutes(routes: { method: string; paths: string[] }[]) {
      for (const { method: lowercase, paths } of routes) {
        const method = lowercase.toUpperCase();
        for (const route of paths) {
          for (const status of EXPECTED_STATUSES) requests.zero({ route, method, status });
        }
      }
    },
    /** Renders the text format of Prometheus. Concurrent calls share one rendering. */
    render: () => (rendering ??= registry.metrics().finally(() => (rendering = undefined))),
    instruments: {
      requestServed({ route, method, status, client, seconds, cache, rejectedBy, wouldReject }) {
        requests.observe(
          { route, method, status, ...(client !== undefined && { client }) },
          seconds,
        );
        if (cache !== undefined) outcomes.inc({ outcome: cache.toLowerCase() });
        if (rejectedBy !== undefined) rejections.inc({ limit: rejectedBy });
        if (wouldReject !== undefined) wouldBeRejections.inc({ limit: wouldReject });
      },
      overloadShed() {
        overloads.inc();
      },
      upstreamCalled(provider, outcome, seconds) {
        upstream.observe({ provider, outcome }, seconds);
      },
      redisReplied(seconds) {
        redis.observe(seconds);
      },
      redisWritesLost(data, count) {
        writesLost.inc({ data }, count);
      },
      redisUnavailable(isUnavailable) {
        gauges.unavailable.set(isUnavailable ? 1 : 0);
      },
    } satisfies Instruments,
  };
}
