import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { queriesOf, readDashboard } from '../deploy/dashboard.js';
import { suiteLifetime } from '../support/lifetime.js';
import { blocksOf } from '../support/markdown.js';
import { ensureCommand } from '../support/packages.js';
import { observe, type Observed } from './scenario.js';
import { startLoki, type Loki, type LokiResult, type Prometheus } from './servers.js';

/**
 * `npm run test:dashboards`: minutes of traffic and faults on real processes. A real Prometheus, Alertmanager, and
 * Loki use the files of the repository. Their results are compared with the responses that clients received.
 */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Tolerance for a machine that other programs use. */
const OF_THE_MACHINE = ['WeatherEventLoopSlow', 'WeatherRedisSlow', 'WeatherSlow'];
/** `increase` extrapolates beyond the first and the last scrape. */
const TOLERANCE = 0.02;

const lifetime = suiteLifetime();
let seen: Observed;
before(async () => {
  ensureCommand('prometheus', 'prometheus');
  ensureCommand('prometheus-alertmanager', 'prometheus-alertmanager');
  seen = await observe(lifetime, console.log);
});

/** The number of replies by the result of a function. Undefined is not counted. */
function countBy<T>(all: T[], by: (each: T) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all) {
    const name = by(each);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
const byStatus = () => countBy(seen.replies, ({ status }) => String(status));
const byOutcome = () =>
  countBy(seen.replies, ({ headers }) => headers['x-cache'] as string | undefined);

/** How often each alert fired. Consecutive evaluations count as one. */
async function firings(
  prometheus: Prometheus,
  selector: string,
  labels: string[],
): Promise<Record<string, number>> {
  const step = prometheus.scrapeSeconds;
  const found = await prometheus.range(
    `count by (${labels.join()}) (ALERTS{alertstate="firing"${selector}})`,
    seen.began,
    step,
  );
  return Object.fromEntries(
    found.map(({ metric, values }) => [
      labels
        .map((label) => metric[label] ?? '')
        .join(' ')
        .trim(),
      values.filter(([at], index) => at - (values[index - 1]?.[0] ?? 0) > step * 1.5).length,
    ]),
  );
}

describe('Prometheus', () => {
  it('evaluates every rule of the repository without an error', async () => {
    for (const prometheus of [seen.real, seen.fast]) {
      const rules = await prometheus.rules();
      assert.ok(rules.length > 25);
      const failed = rules.filter(({ health }) => health !== 'ok');
      assert.deepEqual(failed, []);
    }
  });

  it('answers every query of the dashboard, and none is empty', async () => {
    const empty: string[] = [];
    for (const [title, { expr }] of queriesOf(readDashboard('metrics'))) {
      const query = expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$__range', '30m')
        .replaceAll(/\$(namespace|component|instance)/g, '.*');
      const found = await seen.real.range(query, seen.began, 15);
      if (found.length === 0) empty.push(title);
    }
    assert.deepEqual(empty, []);
  });

  it('counts what clients saw, by status and by cache outcome', async () => {
    const range = `${Math.ceil(Date.now() / 1000 - seen.began)}s`;
    const statuses = await seen.fast.query(
      `sum by (status) (increase(weather_http_request_duration_seconds_count{route=~".*/weather.*"}[${range}]))`,
    );
    const outcomes = await seen.fast.query(
      `sum by (outcome) (increase(weather_cache_outcomes_total[${range}]))`,
    );
    const counted = Object.fromEntries(
      [...statuses, ...outcomes].map(({ metric, value }) => [
        (metric['status'] ?? metric['outcome'] ?? '').toUpperCase(),
        Number(value[1]),
      ]),
    );
    const truth = { ...byStatus(), ...byOutcome() };
    for (const name of ['200', '400', '429', '503', 'HIT', 'MISS', 'STALE']) {
      const [told = 0, real = 0] = [counted[name], truth[name]];
      assert.ok(real > 20, `${name}: ${real}`);
      assert.ok(Math.abs(told - real) <= 2 + real * TOLERANCE, `${name}: ${told}, not ${real}`);
    }
  });

  it('fires each alert of the outage once', async () => {
    const once = await firings(seen.real, ', alertname!="WeatherProviderUnavailable"', [
      'alertname',
    ]);
    const ours = Object.entries(once).filter(([name]) => !OF_THE_MACHINE.includes(name));
    assert.deepEqual(Object.fromEntries(ours), {
      WeatherAllProvidersUnavailable: 1,
      WeatherRedisUnavailable: 1,
      WeatherReplicasUnavailable: 1,
      WeatherWorkersUnavailable: 1,
    });
    const providers = await firings(seen.real, ', alertname="WeatherProviderUnavailable"', [
      'provider',
    ]);
    assert.deepEqual(providers, { 'met-norway': 1, 'open-meteo': 1 });
    const errors = await firings(seen.fast, ', alertname="WeatherErrors"', ['window']);
    assert.deepEqual(errors, { '1h': 1 });
  });

  it('fires no alert without a fault', async () => {
    for (const prometheus of [seen.real, seen.fast]) {
      const fired = await prometheus.range(
        `count by (alertname) (ALERTS{alertstate="firing"})`,
        seen.began,
        prometheus.scrapeSeconds,
      );
      const early = fired
        .filter(({ values }) => values.some(([at]) => at < seen.outage))
        .map(({ metric }) => metric['alertname'] ?? '')
        .filter((name) => !OF_THE_MACHINE.includes(name));
      assert.deepEqual(early, []);
    }
  });

  it('labels an alert about one process by the same instance as the records of the process', async () => {
    const alerts = await seen.real.range(
      'ALERTS{alertname="WeatherRedisUnavailable", alertstate="firing", instance!=""}',
      seen.began,
      15,
    );
    assert.ok(alerts.length > 0);
    for (const { metric } of alerts) {
      const own = seen.records.filter(({ instance }) => instance === metric['instance']);
      assert.ok(
        own.some(({ record }) => record.event === 'redis_unavailable'),
        metric['instance'],
      );
    }
  });
});

describe('Alertmanager', () => {
  it('posts each alert, and when it is resolved', () => {
    const posted = seen.posts.flatMap(({ alerts }) => alerts);
    const names = ['AllProvidersUnavailable', 'WorkersUnavailable', 'ReplicasUnavailable'].map(
      (name) => `Weather${name}`,
    );
    for (const name of names) {
      const states = posted
        .filter(({ labels }) => labels['alertname'] === name)
        .map(({ status }) => status);
      assert.deepEqual([...new Set(states)], ['firing', 'resolved'], name);
    }
  });
});

describe('the errors', () => {
  it('name their cause by themselves', () => {
    const failed = seen.records
      .filter(({ component, record }) => component === 'api' && record['status'] === 503)
      .map(({ record }) => (record['err'] as { message: string }).message)
      .filter((message) => message.startsWith('No weather provider gave an answer'));
    assert.ok(failed.length > 50);
    assert.deepEqual(
      failed.filter((message) => !message.includes('status 503')),
      [],
    );
  });
});

const { LOKI_BINARY } = process.env;
const missing = 'no Loki: name the binary of one by LOKI_BINARY';

describe('Loki', { skip: (LOKI_BINARY ?? process.env['CI']) ? false : missing }, () => {
  let loki: Loki;
  const own = suiteLifetime();
  before(async () => {
    loki = await startLoki(own, LOKI_BINARY ?? '');
    const streams = new Map<
      string,
      { stream: Record<string, string>; values: [string, string][] }
    >();
    for (const { component, instance, record } of seen.records) {
      const { level } = record;
      const stream = {
        app: 'weather-lookup-service',
        namespace: 'compose',
        component,
        instance,
        level,
      };
      const name = JSON.stringify(stream);
      const { values } = streams.get(name) ?? streams.set(name, { stream, values: [] }).get(name)!;
      values.push([`${Date.parse(record.timestamp)}000000`, JSON.stringify(record)]);
    }
    for (const { stream, values } of streams.values()) {
      for (let at = 0; at < values.length; at += 1000) {
        await loki.push([{ stream, values: values.slice(at, at + 1000) }]);
      }
    }
  });

  const failed = () =>
    seen.records.find(({ record }) => record['status'] === 503 && 'fetch_id' in record)!;
  const filled = (expr: string) =>
    expr
      .replaceAll('$__auto', '1m')
      .replaceAll('$__range', '1h')
      .replaceAll(/\$(namespace|component|instance)/g, '.*')
      .replaceAll('$city', 'Paris')
      .replaceAll(/\$request_id|REQUEST-ID/g, String(failed().record['request_id']))
      .replaceAll(/\$fetch_id|FETCH-ID/g, String(failed().record['fetch_id']))
      .replaceAll('CITY', 'Paris')
      .replaceAll('INSTANCE', failed().instance);
  const typeOf = (expr: string) => (/\$__auto|^\{/.test(expr) ? 'range' : 'instant');
  const total = (found: LokiResult[]) =>
    found.reduce((sum, { value }) => sum + Number(value?.[1] ?? 0), 0);

  it('answers every query of the dashboard and of the documents, and none is empty', async () => {
    const documents = ['watch.md', 'runbook.md'].flatMap((name) =>
      blocksOf(read(`docs/operations/${name}`), 'logql')
        .flatMap((block) => block.split('\n'))
        .filter(Boolean)
        .map((expr) => [`${name}: ${expr}`, expr] as const),
    );
    const panels = queriesOf(readDashboard('service')).map(
      ([title, { expr }]) => [title, expr] as const,
    );
    const empty: string[] = [];
    for (const [title, expr] of [...panels, ...documents]) {
      const found = await loki.query(filled(expr), typeOf(expr));
      if (found.length === 0) empty.push(title);
    }
    // nginx answered all that reached it.
    assert.deepEqual(
      empty.filter((title) => title !== 'Responses of nginx itself'),
      [],
    );
  });

  it('counts what clients saw, to the last request', async () => {
    const requests =
      '{component="api"} |= `"event":"weather_request"` | json status="status", cache="cache"';
    const statuses = await loki.query(
      `sum by (status) (count_over_time(${requests} [1h]))`,
      'instant',
    );
    const counted = Object.fromEntries(
      statuses.map(({ metric, value }) => [metric?.['status'] ?? '', Number(value?.[1])]),
    );
    const written = countBy(
      seen.records.filter(({ record }) => record.event === 'weather_request'),
      ({ record }) => String(record['status']),
    );
    assert.deepEqual(counted, written);
    const truth = byStatus();
    for (const status of ['400', '429', '503'])
      assert.equal(counted[status], truth[status], status);
  });

  it('shows each error once', async () => {
    const [, { expr }] = queriesOf(readDashboard('service')).find(([title]) => title === 'Errors')!;
    const shown = await loki.query(`sum(count_over_time(${filled(expr)} [1h]))`, 'instant');
    const errors = seen.records.filter(
      ({ component, record }) => component !== 'nginx' && record.level === 'ERROR',
    );
    assert.equal(total(shown), errors.length);
  });
});
