import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../../src/base/errors.js';
import { createMetrics } from '../../../src/process/metrics/metrics.js';
import { SERVICE_VERSION } from '../../../src/base/version.js';
import { makeCertificate } from '../../support/certificate.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { rowsOf, sectionOf } from '../../support/markdown.js';

const document = readFileSync(
  new URL('../../../docs/operations/watch.md', import.meta.url),
  'utf8',
);

describe('the text of the metrics', () => {
  let lines: string[];
  /** When the first certificate expires, in seconds since 1970. */
  let end: number;

  before(async () => {
    const lifetime = suiteLifetime();
    const [{ cert }, later] = [
      await makeCertificate(lifetime),
      await makeCertificate(lifetime, 'IP:127.0.0.2', 9),
    ];
    // A file with the certificates of two authorities, while one replaces the other.
    end = Date.parse(new X509Certificate(readFileSync(cert)).validTo) / 1000;
    appendFileSync(later.cert, readFileSync(cert));
    const { instruments, render, ...metrics } = createMetrics();
    const windows = [{ windowSeconds: 60, limit: 10 }];
    metrics.watchRequests(() => 2);
    metrics.watch({
      backlog: () => Promise.resolve({ waiting: 3, oldestMs: 1500 }),
      breakers: new Map([
        ['a', { rejectsForMs: () => 0.5 }],
        ['b', { rejectsForMs: () => 0 }],
      ]),
      callBudgets: {
        state: () => Promise.resolve([{ windowSeconds: 60, limit: 10, remaining: 4 }]),
        isUsedUp: (provider) => provider === 'a',
      },
      budgets: new Map(['a', 'b'].map((name) => [name, { name, windows }])),
      availability: () => [
        ['weather', 'good'],
        ['forecast', 'doubtful'],
        ['hourly', 'none'],
      ],
      certificates: {
        REDIS_TLS_CA: later.cert,
        REDIS_TLS_CERT: `${cert}-missing`,
        OTHER: undefined,
      },
    });
    metrics.expectRoutes([{ method: 'get', paths: ['/'] }]);
    instruments.requestServed({
      ...{ route: '/', method: 'GET', status: 200, seconds: 0.75 },
      ...{ cache: 'HIT', rejectedBy: 'total', wouldReject: 'per_ip' },
    });
    instruments.overloadShed();
    instruments.upstreamCalled('a', 'ok', 0.5);
    instruments.redisReplied(0.125);
    instruments.redisWritesLost('search', 2);
    instruments.redisUnavailable(true);
    lines = (await render()).split('\n').filter((line) => /^(# TYPE )?weather_/.test(line));
    instruments.redisUnavailable(false);
    assert.match(await render(), /^weather_redis_unavailable 0$/m);
  });

  it('has every metric that docs/operations/watch.md lists, with its type, and no other', () => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith('#')).sort(),
      rowsOf(sectionOf(document, '## Metrics'))
        .map(([name = '', type]) => `# TYPE ${name.replaceAll('`', '')} ${type}`)
        .sort(),
    );
  });

  it('has the buckets that docs/operations/watch.md lists', () => {
    const bounds = new Map<string, Set<number>>();
    for (const line of lines) {
      const [, name, le] = /^(\w+)_bucket\{le="([\d.]+)"/.exec(line) ?? [];
      if (name === undefined) continue;
      bounds.set(name, (bounds.get(name) ?? new Set()).add(Number(le)));
    }
    assert.deepEqual(
      [...bounds].map(([name, all]) => [`\`${name}\``, [...all].join(', ')]),
      rowsOf(sectionOf(document, '## Buckets of the histograms')),
    );
  });

  it('has what the parts of the service report', () => {
    const values = lines
      .filter((line) => !/^#|_bucket|_memory_limit/.test(line))
      .map((line) => line.replace('weather_', ''));
    const version = `version="${SERVICE_VERSION}",node="${process.version}"`;
    assert.deepEqual(
      values.filter((line) => !line.endsWith(' 0')),
      [
        `build_info{${version}} 1`,
        'redis_unavailable 1',
        'http_request_duration_seconds_sum{route="/",method="GET",status="200"} 0.75',
        'http_request_duration_seconds_count{route="/",method="GET",status="200"} 1',
        'cache_outcomes_total{outcome="hit"} 1',
        'rate_limit_refusals_total{limit="total"} 1',
        'rate_limit_would_refuse_total{limit="per_ip"} 1',
        'overload_refusals_total 1',
        'upstream_request_duration_seconds_sum{provider="a",outcome="ok"} 0.5',
        'upstream_request_duration_seconds_count{provider="a",outcome="ok"} 1',
        'redis_command_duration_seconds_sum 0.125',
        'redis_command_duration_seconds_count 1',
        'redis_writes_lost_total{data="search"} 2',
        'http_requests_in_flight 2',
        `certificate_end_timestamp_seconds{variable="REDIS_TLS_CA"} ${end}`,
        'breaker_open{provider="a"} 1',
        'kind_unavailable{kind="hourly"} 1',
        'provider_budget_limit{provider="a",window="60"} 10',
        'provider_budget_limit{provider="b",window="60"} 10',
        'provider_budget_exhausted{provider="a"} 1',
        'provider_budget_left{provider="a",window="60"} 4',
        'provider_budget_left{provider="b",window="60"} 4',
        'queue_oldest_job_age_seconds 1.5',
        'queue_waiting_jobs 3',
      ],
    );
    // Each metric has a value other than 0, so its function is called above.
    const reported = values.filter((line) => !line.endsWith(' 0'));
    const names = new Set(reported.map((line) => line.split(/[{ ]/)[0]));
    const listed = rowsOf(sectionOf(document, '## Metrics')).map(([name = '']) =>
      name.replaceAll('`', '').replace('weather_', ''),
    );
    const seriesOf = (name: string) => [name, `${name}_sum`, `${name}_count`];
    assert.deepEqual(
      listed.filter((name) => !seriesOf(name).some((each) => names.has(each))),
      ['memory_limit_bytes'],
    );
    // Series that exist before their first event begin at 0, so that this event is an increase.
    const requests = 'http_request_duration_seconds_count{route="/",method="GET",status=';
    for (const status of [500, 503]) assert.ok(values.includes(`${requests}"${status}"} 0`));
    const limit = lines.find((line) => line.startsWith('weather_memory_limit_bytes '));
    assert.ok(Number(limit?.split(' ')[1]) >= 64 * 2 ** 20, limit);
  });
});

it('a gauge whose query fails has no value, also if it had one before', async () => {
  const { render, watch } = createMetrics();
  let fails = false;
  const query = <T>(value: T) =>
    fails ? Promise.reject(new StoreUnavailableError('no reply')) : Promise.resolve(value);
  const windows = [{ windowSeconds: 60, limit: 10 }];
  watch({
    backlog: () => query({ waiting: 3, oldestMs: 1500 }),
    breakers: new Map([['a', { rejectsForMs: () => 0 }]]),
    callBudgets: {
      state: () => query([{ windowSeconds: 60, limit: 10, remaining: 4 }]),
      isUsedUp: () => false,
    },
    budgets: new Map([['a', { name: 'a', windows }]]),
    availability: () => [],
    certificates: {},
  });
  const samples = async () =>
    (await render()).match(/^weather_(?:queue_\w+|provider_budget_left\S*) .*$/gm) ?? [];
  assert.equal((await samples()).length, 3);
  fails = true;
  assert.deepEqual(await samples(), []);
});
