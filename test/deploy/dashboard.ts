import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { K8S } from './kubectl.js';

/** A query of a dashboard. */
export interface Query {
  name?: string;
  expr: string;
  datasource: { uid: string };
}

/** The parts of a Grafana dashboard that tests read. */
export interface Dashboard {
  uid: string;
  annotations: { list: Query[] };
  templating: { list: { name: string; type: string; query: string }[] };
  panels: {
    title: string;
    type: string;
    interval?: string;
    targets?: Query[];
    fieldConfig?: { defaults: { noValue?: string; unit?: string } };
  }[];
}

/** Reads a dashboard of the repository: `service` (logs) or `metrics`. */
export function readDashboard(name: 'service' | 'metrics'): Dashboard {
  const file = join(K8S, `observability/grafana/dashboards/${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Dashboard;
}

/** Every query of the dashboard with the name of its panel or annotation. */
export function queriesOf(dashboard: Dashboard): [string, Query][] {
  return [
    ...dashboard.annotations.list.map((query): [string, Query] => [query.name ?? '', query]),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map((query): [string, Query] => [title, query]),
    ),
  ];
}
