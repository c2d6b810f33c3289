import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { queriesOf, readDashboard } from '../deploy/dashboard.js';
import { suiteLifetime } from '../support/lifetime.js';
import { blocksOf } from '../support/markdown.js';
import { ensureCommand } from '../support/packages.js';
import { observe, type Observed } from './scenario.js';
import { startLoki, type Loki } from './servers.js';

/**
 * `npm run test:dashboards`: minutes of traffic and faults on real processes. A real Prometheus and Loki use the files of
 * the repository.
 */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Tolerance for a machine that other programs use. */
const OF_THE_MACHINE = ['WeatherEventLoopSlow', 'WeatherRedisSlow', 'WeatherSlow'];
/** The interval of the scrapes and of the rules in prometheus.yaml. */
const STEP_S = 15;

const lifetime = suiteLifetime();
let seen: Observed;
before(async () => {
  ensureCommand('prometheus', 'prometheus');
  seen = await observe(lifetime, console.log);
});

/** The firing alerts at each evaluation, by some labels. */
const firing = (selector: string, labels: string) =>
  seen.prometheus.range(
    `count by (${labels}) (ALERTS{alertstate="firing"${selector}})`,
    seen.began,
    STEP_S,
  );

/** How often each alert fired. Consecutive evaluations count as one. */
async function firings(selector: string, label: string): Promise<Record<string, number>> {
  const found = await firing(selector, label);
  return Object.fromEntries(
    found.map(({ metric, values }) => [
      metric[label] ?? '',
      values.filter(([at], index) => at - (values[index - 1]?.[0] ?? 0) > STEP_S * 1.5).length,
    ]),
  );
}

describe('Prometheus', () => {
  it('evaluates every rule of the repository without an error', async () => {
    const rules = await seen.prometheus.rules();
    assert.ok(rules.length > 25);
    assert.deepEqual(
      rules.filter(({ health }) => health !== 'ok'),
      [],
    );
  });

  it('answers every query of the dashboard, and none is empty', async () => {
    const empty: string[] = [];
    for (const [title, { expr }] of queriesOf(readDashboard('metrics'))) {
      const query = expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$__range', '30m')
        .replaceAll(/\$(namespace|component|instance)/g, '.*');
      const found = await seen.prometheus.range(query, seen.began, STEP_S);
      if (found.length === 0) empty.push(title);
    }
    assert.deepEqual(empty, []);
  });

  it('fires each alert of the outage once', async () => {
    const once = await firings(', alertname!="WeatherProviderUnavailable"', 'alertname');
    const ours = Object.entries(once).filter(([name]) => !OF_THE_MACHINE.includes(name));
    assert.deepEqual(Object.fromEntries(ours), {
      WeatherAllProvidersUnavailable: 1,
      WeatherRedisUnavailable: 1,
      WeatherReplicasUnavailable: 1,
    });
    const providers = await firings(', alertname="WeatherProviderUnavailable"', 'provider');
    assert.deepEqual(providers, { 'met-norway': 1, 'open-meteo': 1 });
  });

  it('fires no alert without a fault', async () => {
    const early = (await firing('', 'alertname'))
      .filter(({ values }) => values.some(([at]) => at < seen.outage))
      .map(({ metric }) => metric['alertname'] ?? '')
      .filter((name) => !OF_THE_MACHINE.includes(name));
    assert.deepEqual(early, []);
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
    const mayBeEmpty = new Set([
      'Responses of nginx itself',
      'Clients that disconnected before the response',
    ]);
    assert.deepEqual(
      empty.filter((title) => !mayBeEmpty.has(title)),
      [],
    );
  });
});
