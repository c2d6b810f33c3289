import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compose-file.js';

/** A query of a dashboard. */
interface Query {
  name?: string;
  expr: string;
}

/** The parts of a Grafana dashboard that tests read. */
interface Dashboard {
  annotations: { list: Query[] };
  panels: { title: string; targets?: Query[] }[];
}

/** Reads a dashboard of the repository: `service` (logs) or `metrics`. */
export function readDashboard(name: 'service' | 'metrics'): Dashboard {
  const file = join(ROOT, `k8s/observability/grafana/dashboards/${name}.json`);
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
