import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { blocksOf, codeIn, rowsOf, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';
import { queriesOf, readDashboard } from './dashboard.js';

/**
 * Queries of dashboards, alerts and documents name events and metrics that docs/operations/watch.md lists; another test
 * compares that list with the code. `npm run test:dashboards` sends the queries to Loki and Prometheus.
 */

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const watch = read('docs/operations/watch.md');
const service = readDashboard('service');
const metrics = readDashboard('metrics');

/** Labels that Prometheus adds to each metric, or that all histograms have. */
const COMMON_LABELS = ['job', 'namespace', 'component', 'instance', 'le'];
/** The records of nginx. All others come from the service. */
const NGINX_EVENT = 'proxy_request';

interface Rules {
  groups: { rules: { alert?: string; record?: string; expr: string }[] }[];
}

describe('the LogQL queries', () => {
  const events = rowsOf(sectionOf(watch, '## Logs')).flatMap(([first = '']) => codeIn(first));
  const documented = ['watch', 'runbook'].flatMap((name) =>
    blocksOf(read(`docs/operations/${name}.md`), 'logql').map((expr) => [name, expr] as const),
  );
  const shown = queriesOf(service).map(([title, { expr }]) => [title, expr] as const);

  it('name events that are logged', () => {
    for (const [where, expr] of [...shown, ...documented]) {
      for (const [, names = ''] of expr.matchAll(/\| event=~?"([\w|]+)"/g)) {
        for (const name of names.split('|')) {
          assert.ok(name === NGINX_EVENT || events.includes(name), `${where}: ${name}`);
        }
      }
    }
  });
});

describe('the PromQL queries', () => {
  const rules = (parse(read('k8s/observability/alerts.yaml')) as Rules).groups.flatMap(
    (group) => group.rules,
  );
  const queries = [
    ...queriesOf(metrics).map(([title, { expr }]) => [title, expr] as const),
    ...rules.map(({ alert = 'a recording rule', expr }) => [alert, expr] as const),
  ];

  it('name metrics and labels that exist', () => {
    const labelsOf = new Map(
      rowsOf(sectionOf(watch, '## Metrics')).map(([name = '', , labels = '']) => [
        codeIn(name)[0],
        codeIn(labels),
      ]),
    );
    assert.ok(queries.length > 40);
    for (const [where, expr] of queries) {
      for (const [, name = '', matchers = ''] of expr.matchAll(
        /\b(weather_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const labels = labelsOf.get(name.replace(/_(bucket|count|sum)$/, ''));
        assert.ok(labels, `${where}: ${name}`);
        for (const [, label = ''] of matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)) {
          const known = labels.includes(label) || COMMON_LABELS.includes(label);
          assert.ok(known, `${where}: ${name} has no label ${label}`);
        }
      }
    }
  });
});

describe('the dashboards', () => {
  for (const [source, dashboard] of [
    ['loki', service],
    ['prometheus', metrics],
  ] as const) {
    it(`can be imported into any Grafana: a variable selects the data source (${source})`, () => {
      const names = dashboard.templating.list.map(({ name }) => name);
      assert.deepEqual(names.slice(0, 3), [source, 'namespace', 'component']);
      for (const [title, { datasource, expr }] of queriesOf(dashboard)) {
        assert.equal(datasource.uid, `\${${source}}`, title);
        assert.match(expr, /namespace=~"\$namespace"/, title);
      }
    });
  }
});

describe('the scrape configurations', () => {
  it('set the labels that the alerts read', () => {
    for (const name of ['prometheus.yaml', 'prometheus-kubernetes.yaml']) {
      const { scrape_configs: jobs } = parse(read(`k8s/observability/${name}`)) as {
        scrape_configs: { job_name: string; relabel_configs: { target_label?: string }[] }[];
      };
      assert.equal(jobs[0]?.job_name, 'weather');
      const labels = jobs[0].relabel_configs.map((rule) => rule.target_label);
      assert.ok(labels.includes('namespace') && labels.includes('component'), name);
    }
  });
});

describe('the log shipper and Loki', () => {
  const shipper = read('k8s/observability/config.alloy');

  it('label an instance by the address that Prometheus scrapes', () => {
    const { scrape_configs: jobs } = parse(read('k8s/observability/prometheus.yaml')) as {
      scrape_configs: { dns_sd_configs: { port: number }[] }[];
    };
    const port = jobs[0]?.dns_sd_configs[0]?.port;
    assert.ok(shipper.includes(`replacement   = "$1:${port}"`));
    assert.match(shipper, /^ *match_first_network = false$/m);
  });

  it('give the longest query to a reader that asks for more than is stored', () => {
    const { limits_config: limits } = parse(read('k8s/observability/loki.yaml')) as {
      limits_config: Record<string, unknown>;
    };
    assert.equal(limits['max_query_lookback'], limits['retention_period']);
    assert.equal(limits['max_query_length'], 0);
  });
});
