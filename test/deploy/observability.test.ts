import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { suiteLifetime } from '../support/lifetime.js';
import { ensureCommand } from '../support/packages.js';
import { matches, readQuery } from './logql.js';
import { observe, type Shipped } from './scenario.js';

const FOLDER = fileURLToPath(new URL('../../k8s/observability/', import.meta.url));
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** Labels that Prometheus adds to what it scrapes. */
const SCRAPED = ['job', 'namespace', 'component', 'instance'];

interface Dashboard {
  annotations: { list: Query[] };
  panels: { title: string; type: string; targets?: Query[] }[];
}
interface Query {
  name?: string;
  expr: string;
  datasource: { uid: string };
  titleFormat?: string;
  textFormat?: string;
  legendFormat?: string;
}

/** Every query of the dashboard with the name of its panel or annotation. */
function queriesOf(dashboard: Dashboard): [string, Query][] {
  return [
    ...dashboard.annotations.list.map((query): [string, Query] => [query.name ?? '', query]),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map((query): [string, Query] => [title, query]),
    ),
  ];
}

describe('the dashboards and alerts read what the service writes', () => {
  const lifetime = suiteLifetime();
  let records: Shipped[];
  let metrics: string;
  before(async () => {
    ({ records, metrics } = await observe(lifetime));
  });

  describe('the dashboard', () => {
    const dashboard = JSON.parse(read('grafana/dashboards/service.json')) as Dashboard;
    const queries = queriesOf(dashboard);
    const datasources = parse(read('grafana/provisioning/datasources/datasources.yaml')) as {
      datasources: { uid: string }[];
    };
    const uids = datasources.datasources.map(({ uid }) => uid);
    const shipper = read('config.alloy');
    const streamLabels = [
      ...[...shipper.matchAll(/target_label *= "(\w+)"/g)].map(([, label]) => label),
      ...[...shipper.matchAll(/stage\.labels \{\s*values = \{ (\w+) =/g)].map(([, label]) => label),
    ];

    it('has many queries, over four labels of a stream', () => {
      assert.ok(queries.length > 20);
      assert.deepEqual(streamLabels, ['app', 'component', 'instance', 'level']);
    });

    for (const [title, query] of queries) {
      it(`${title}: ${query.expr}`, () => {
        assert.ok(uids.includes(query.datasource.uid));
        assertAnswerable(query, records, streamLabels);
      });
    }
  });

  it('a query for something that is never written is detected', () => {
    const about = (rest: string) => ({
      expr: `{app="x", component="api"} | json event="event", ${rest}`,
      datasource: { uid: 'loki' },
    });
    const labels = ['app', 'component'];
    const faults: [string, RegExp][] = [
      ['status="state" | event="weather_request"', /no record has the field state/],
      ['status="status" | event="weather_reqest"', /no record of weather_reqest/],
      ['status="status" | event="weather_request" | status="999"', /no record meets/],
      ['status="status" | event="weather_request" | state="200"', /state is not extracted/],
      ['status="status" | event="weather_request" |', /no LogQL/],
    ];
    for (const [rest, message] of faults) {
      assert.throws(() => {
        assertAnswerable(about(rest), records, labels);
      }, message);
    }
  });

  it('lnav reads every record, with its fields and its level', (t) => {
    ensureCommand('lnav', 'lnav');
    const folder = mkdtempSync(join(tmpdir(), 'weather-lnav-'));
    t.after(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const formats = join(folder, 'formats', 'weather');
    mkdirSync(formats, { recursive: true });
    cpSync(join(FOLDER, 'lnav'), formats, { recursive: true });
    const log = join(folder, 'service.log');
    const lines = records.map(({ record }) => JSON.stringify(record));
    writeFileSync(log, `${lines.join('\n')}\n`);
    const lnav = (...args: string[]): string => {
      const options = { encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
      const { stdout, stderr } = spawnSync('lnav', ['-I', folder, '-n', ...args, log], options);
      assert.equal(stderr, '');
      return stdout;
    };
    const sql = (select: string) =>
      JSON.parse(lnav('-c', `;${select}`, '-c', ':write-json-to -')) as Record<string, unknown>[];

    const seen = sql('SELECT event, log_level, status, city FROM weather_lookup_service');
    assert.deepEqual(
      // Some versions write numbers as text.
      seen.map((row) => ({
        ...row,
        status: row['status'] === null ? null : Number(row['status']),
      })),
      records.map(({ record }) => ({
        event: record.event,
        log_level: record.level.toLowerCase(),
        status: record['status'] ?? null,
        city: record['city'] ?? null,
      })),
    );
    const screen = lnav();
    assert.match(screen, /INFO +weather_request +200 +HIT +\d+ +Seattle USA/);
    assert.match(screen, /ERROR +weather_request +503/);

    const [format] = Object.values(
      JSON.parse(read('lnav/weather_lookup_service.json')) as Record<
        string,
        { value?: Record<string, object> }
      >,
    ).filter(({ value }) => value);
    for (const field of Object.keys(format?.value ?? {})) {
      assert.ok(
        records.some(({ record }) => field in record),
        `no record has the field ${field}`,
      );
    }
  });

  it('the alerts ask for metrics that exist, with labels that they have', () => {
    const rules = parse(read('alerts.yaml')) as {
      groups: { rules: { alert?: string; expr: string; annotations?: Record<string, string> }[] }[];
    };
    const all = rules.groups.flatMap((group) => group.rules);
    assert.ok(all.length >= 10);
    for (const { alert = 'a recording rule', expr, annotations } of all) {
      if (annotations) assert.ok(annotations['summary'] && annotations['runbook'], alert);
      for (const [, name = '', matchers = ''] of expr.matchAll(
        /\b((?:weather|nodejs)_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const samples = metrics.split('\n').filter((line) => line.startsWith(`${name}{`));
        const bare = metrics.split('\n').filter((line) => line.startsWith(`${name} `));
        assert.ok(samples.length + bare.length > 0, `${alert}: nothing is called ${name}`);
        for (const [, label = ''] of matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)) {
          assert.ok(
            SCRAPED.includes(label) || samples.some((line) => line.includes(`${label}="`)),
            `${alert}: ${name} has no ${label}`,
          );
        }
      }
    }
  });

  it('every scrape sets the labels that the alerts ask for', () => {
    for (const name of ['prometheus.yaml', 'prometheus-kubernetes.yaml']) {
      const { scrape_configs: jobs } = parse(read(name)) as {
        scrape_configs: { job_name: string; relabel_configs: { target_label?: string }[] }[];
      };
      assert.deepEqual(
        jobs.map((job) => job.job_name),
        ['weather'],
      );
      const set = jobs[0]?.relabel_configs.map((rule) => rule.target_label);
      for (const label of ['namespace', 'component']) assert.ok(set?.includes(label), name);
    }
  });

  it('each alert fires when it must, and none when all is well', () => {
    ensureCommand('promtool', 'prometheus');
    const promtool = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    };
    promtool('check', 'config', join(FOLDER, 'prometheus.yaml'));
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const tests = readdirSync(folder).filter((name) => name.endsWith('.promtool.yaml'));
    promtool('test', 'rules', ...tests.map((name) => join(folder, name)));
    const texts = tests.map((name) => readFileSync(join(folder, name), 'utf8'));
    const tried = new Set(texts.join('').match(/(?<=alertname=")\w+/g));
    const all = new Set(read('alerts.yaml').match(/(?<=alert: )\w+/g));
    assert.deepEqual([...tried].sort(), [...all].sort());
  });
});

/** Fails unless the query reads fields that are written, and finds at least one real record. */
function assertAnswerable(
  query: Query,
  records: Shipped[],
  streamLabels: (string | undefined)[],
): void {
  const expression = query.expr.replaceAll('$__auto', '1m').replaceAll('$__range', '1h');
  const { streams, extracted, filters, unwrapped, grouped } = readQuery(expression);
  for (const { label } of streams)
    assert.ok(streamLabels.includes(label), `no stream has ${label}`);
  const shown = [query.legendFormat, query.titleFormat, query.textFormat].join(' ');
  const displayed = [...shown.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  for (const label of [...filters.map((f) => f.label), ...unwrapped, ...grouped, ...displayed]) {
    const known = extracted.has(label) || streamLabels.includes(label);
    assert.ok(known, `${label} is not extracted`);
  }

  const stream = ({ component, record }: Shipped): Record<string, string> => ({
    app: 'weather-lookup-service',
    component,
    level: record.level,
  });
  const ofStreams = records.filter((shipped) =>
    streams.every((matcher) => {
      const value = stream(shipped)[matcher.label];
      return matcher.label === 'app' || matches(matcher, value ?? '');
    }),
  );
  const events = filters.filter(({ label }) => label === 'event').map(({ value }) => value);
  for (const event of events.flatMap((value) => value.split('|'))) {
    const found = ofStreams.some(({ record }) => record.event === event);
    assert.ok(found, `no record of ${event}`);
  }
  const ofEvents = ofStreams.filter(
    ({ record }) =>
      events.length === 0 || events.some((value) => value.split('|').includes(record.event)),
  );
  for (const path of extracted.values()) {
    const found = ofEvents.some(({ record }) => path in record);
    assert.ok(found, `no record has the field ${path}`);
  }
  const valueOf = ({ record }: Shipped, label: string): string => {
    const value = record[extracted.get(label) ?? label];
    if (typeof value === 'string') return value;
    return value === undefined || value === null ? '' : JSON.stringify(value);
  };
  const selected = ofEvents.filter((shipped) =>
    filters.every((matcher) => matches(matcher, valueOf(shipped, matcher.label))),
  );
  assert.ok(selected.length > 0, `no record meets ${expression}`);
  for (const label of unwrapped) {
    for (const shipped of selected) assert.match(valueOf(shipped, label), /^\d+(\.\d+)?$/);
  }
}
