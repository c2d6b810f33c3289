import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { blocksOf, codeIn, rowsOf, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';

/**
 * Queries of dashboards, alerts and documents name events and metrics that
 * docs/operations/watch.md lists; another test compares that list with the code.
 */

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const watch = read('docs/operations/watch.md');

/** Labels that Prometheus adds to each metric, or that all histograms have. */
const COMMON_LABELS = ['job', 'namespace', 'component', 'instance', 'le'];
/** The records of nginx. All others come from the service. */
const NGINX_EVENT = 'proxy_request';

/** A query of a dashboard. */
interface Query {
  name?: string;
  expr: string;
}
/** The parts of a Grafana dashboard that these tests read. */
interface Dashboard {
  annotations: { list: Query[] };
  panels: { title: string; targets?: Query[] }[];
}
/** Every query of a dashboard with the name of its panel or annotation. */
function queriesOf(name: 'service' | 'metrics'): [string, string][] {
  const text = read(`k8s/observability/grafana/dashboards/${name}.json`);
  const { annotations, panels } = JSON.parse(text) as Dashboard;
  return [
    ...annotations.list.map(({ name = '', expr }): [string, string] => [name, expr]),
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }): [string, string] => [title, expr]),
    ),
  ];
}

interface Rules {
  groups: { rules: { alert?: string; record?: string; expr: string }[] }[];
}

describe('the LogQL queries', () => {
  it('name events that are logged', () => {
    const events = rowsOf(sectionOf(watch, '## Logs')).flatMap(([first = '']) => codeIn(first));
    const queries = [
      ...queriesOf('service').map(([, expr]) => expr),
      ...['watch', 'runbook'].flatMap((name) =>
        blocksOf(read(`docs/operations/${name}.md`), 'logql'),
      ),
    ];
    for (const expr of queries) {
      for (const [, names = ''] of expr.matchAll(/\| event=~?"([\w|]+)"/g)) {
        const unknown = names.split('|').filter((name) => ![NGINX_EVENT, ...events].includes(name));
        assert.deepEqual(unknown, [], expr);
      }
    }
  });
});

describe('the PromQL queries', () => {
  const rules = (parse(read('k8s/observability/alerts.yaml')) as Rules).groups.flatMap(
    (group) => group.rules,
  );
  const queries = [
    ...queriesOf('metrics'),
    ...rules.map(({ alert = 'a recording rule', expr }) => [alert, expr] as const),
    ...blocksOf(read('docs/operations/runbook.md'), 'promql').map(
      (expr) => ['runbook', expr] as const,
    ),
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
