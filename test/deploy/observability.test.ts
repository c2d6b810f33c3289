import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { suiteLifetime } from '../support/lifetime.js';
import { blocksOf } from '../support/markdown.js';
import { ensureCommand } from '../support/packages.js';
import { assertAnswerable, assertMeasured } from './answerable.js';
import { assertZeroShown, hitRatioOf, OUTCOMES, queriesOf, type Dashboard } from './dashboard.js';
import { openInLnav } from './lnav.js';
import { matches, readQuery } from './logql.js';
import { byTime, observe, type Shipped } from './scenario.js';

const FOLDER = fileURLToPath(new URL('../../k8s/observability/', import.meta.url));
const OPERATIONS = join(FOLDER, '../../docs/operations');
const WATCH = join(OPERATIONS, 'watch.md');
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const dashboardIn = (name: string) => JSON.parse(read(`grafana/dashboards/${name}`)) as Dashboard;

describe('the dashboards and alerts read what the service writes', () => {
  const lifetime = suiteLifetime();
  let records: Shipped[];
  let metrics: string;
  before(async () => {
    ({ records, metrics } = await observe(lifetime));
  });

  const logs = dashboardIn('service.json');
  const charts = dashboardIn('metrics.json');
  const shipper = read('config.alloy');
  const streamLabels = [
    ...new Set([
      ...[...shipper.matchAll(/target_label *= "(\w+)"/g)].map(([, label]) => label),
      ...[...shipper.matchAll(/stage\.labels \{\s*values = \{ (\w+) =/g)].map(([, label]) => label),
    ]),
  ];

  const dashboards = [
    {
      name: 'the dashboard over the logs',
      dashboard: logs,
      variables: ['loki', 'namespace', 'component', 'instance', 'request_id', 'fetch_id', 'city'],
      narrowed: /namespace=~"\$namespace", .*instance=~"\$instance"/,
      counting: /^(?!.*quantile).*(count_over_time|rate)\(/,
      isHit: (hits: string, outcome: string) => {
        const { filters } = readQuery(hits.replaceAll('$__range', '1h'));
        const conditions = filters.filter(({ label }) => label === 'cache');
        return conditions.every((each) => matches(each, outcome));
      },
    },
    {
      name: 'the dashboard over the metrics',
      dashboard: charts,
      variables: ['prometheus', 'namespace', 'component', 'instance'],
      narrowed: /job="weather", namespace=~"\$namespace"/,
      counting: /^(?!.*quantile).*rate\(weather_/,
      isHit: (hits: string, outcome: string) =>
        new RegExp(`^(${/outcome=~"([^"]+)"/.exec(hits)?.[1]})$`, 'i').test(outcome),
    },
  ];
  for (const { name, dashboard, variables, narrowed, counting, isHit } of dashboards) {
    describe(name, () => {
      it('can be imported anywhere: its source, namespace and instance are chosen', () => {
        const chosen = dashboard.templating.list.map((variable) => variable.name);
        assert.deepEqual(chosen, variables);
        const queries = queriesOf(dashboard);
        assert.ok(queries.length > 20);
        for (const [title, { expr, datasource }] of queries) {
          assert.equal(datasource.uid, `\${${variables[0]}}`, title);
          assert.match(expr, narrowed, title);
        }
      });

      it('counts no stale answer as a hit', () => {
        const [hits = ''] = hitRatioOf(dashboard).split(' / ');
        const counted = OUTCOMES.filter((outcome) => isHit(hits, outcome));
        assert.deepEqual(counted, ['HIT', 'COALESCED']);
      });

      it('shows the same numbers at each zoom: rates over time, or counts over the whole range', () => {
        const perStep = dashboard.panels.filter(({ type, interval, targets = [], fieldConfig }) =>
          targets.some(({ expr }) => {
            const isRate = /\brate\(/.test(expr);
            if (/(count_over_time|increase)\(/.test(expr)) return !expr.includes('$__range');
            if (isRate && !/quantile|cpu_seconds/.test(expr))
              return !/^(req|c)ps$/.test(fieldConfig?.defaults.unit ?? '');
            // Of a step of a few seconds, the 95th percentile is the maximum.
            return expr.includes('$__auto') && type === 'timeseries' && interval !== '1m';
          }),
        );
        assert.deepEqual(
          perStep.map(({ title }) => title),
          [],
        );
      });

      it('marks what was deployed, with its version', () => {
        const marks = dashboard.annotations.list.map(({ titleFormat }) => titleFormat);
        assert.ok(marks.some((mark) => mark?.includes('{{version}}')));
      });

      it('shows 0 where nothing was counted', () => {
        assertZeroShown(dashboard, counting);
      });
    });
  }

  describe('each query of the logs', () => {
    const queries = queriesOf(logs);

    it('has six labels of a stream to ask for, each of few values', () => {
      const labels = ['app', 'namespace', 'component', 'container', 'instance', 'level'];
      assert.deepEqual(streamLabels, labels);
    });

    it('parses only records of the events that it is about', () => {
      for (const [title, { expr }] of queries) {
        const about = [...expr.matchAll(/ \| event=/g)].length;
        assert.equal([...expr.matchAll(/\|[=~] `"event":/g)].length, about, title);
      }
    });

    for (const [title, query] of queries) {
      it(`${title}: ${query.expr}`, () => {
        assertAnswerable(query, records, streamLabels);
      });
    }
  });

  describe('each query to paste of the documents', () => {
    for (const name of ['watch.md', 'runbook.md']) {
      const queries = blocksOf(readFileSync(join(OPERATIONS, name), 'utf8'), 'logql')
        .flatMap((block) => block.split('\n'))
        .filter(Boolean);
      it(`${name} has some`, () => {
        assert.ok(queries.length > 0);
      });
      for (const expr of queries) {
        it(`${name}: ${expr}`, () => {
          assertAnswerable({ expr, datasource: { uid: 'loki' } }, records, streamLabels);
        });
      }
    }
  });

  it('each query of the metrics asks for what exists, in expressions that Prometheus reads', (t) => {
    ensureCommand('promtool', 'prometheus');
    const queries = queriesOf(charts);
    for (const [title, { expr }] of queries) assertMeasured(expr, metrics, title);
    const folder = mkdtempSync(join(tmpdir(), 'weather-promql-'));
    t.after(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const rules = queries.map(([, { expr }], index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll(/\$__(rate_interval|range)/g, '5m'),
    }));
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
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
    const lnav = openInLnav(t, join(FOLDER, 'lnav'), records);
    const seen = lnav.sql('SELECT event, log_level, status, city FROM weather_lookup_service');
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
    // From one request to its fetch and the failures of providers, as docs/operations/watch.md says it.
    const failed = records.find(({ record }) => record['status'] === 503 && 'fetch_id' in record);
    const { request_id: requestId, fetch_id: fetchId } = failed!.record;
    const [, query = ''] = /;(SELECT .+REQUEST-ID.+)$/m.exec(readFileSync(WATCH, 'utf8')) ?? [];
    assert.ok(query, 'watch.md has no query');
    // As many as a minute of traffic writes.
    const [hit] = records.filter(({ record }) => record['cache'] === 'HIT');
    const others = Array.from({ length: 3000 }, (_, n) => {
      const ids = { request_id: `other-${n}`, fetch_id: `fetch-${n}` };
      return { ...hit!, record: { ...hit!.record, ...ids } };
    });
    const busy = openInLnav(t, join(FOLDER, 'lnav'), [...records, ...others].sort(byTime));
    assert.deepEqual(
      busy.sql(query.replace('REQUEST-ID', String(requestId))).map((row) => row['event']),
      records
        .filter(({ record }) => record['fetch_id'] === fetchId)
        .map(({ record }) => record.event),
    );
    const screen = lnav.screen();
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
      groups: { rules: { alert?: string; expr: string }[] }[];
    };
    const all = rules.groups.flatMap((group) => group.rules);
    assert.ok(all.length >= 10);
    for (const { alert = 'a recording rule', expr } of all) assertMeasured(expr, metrics, alert);
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
});
