import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

/**
 * `npm run docs:alerts`: writes the files that are derived from k8s/observability/alerts.yaml, which are the rules for the
 * Prometheus Operator and the table at the top of the runbook.
 */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const ALERTS = at('k8s/observability/alerts.yaml');
export const PROMETHEUS_RULE = at('k8s/components/prometheus-operator/prometheus-rule.yaml');
export const RUNBOOK = at('docs/operations/runbook.md');
const TABLE = /^\| alert +\|.*\n(?:\|.*\n)+/m;

/** An alerting rule of Prometheus. */
export interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: 'warning' | 'critical' };
  annotations: Record<string, string>;
}

interface Rules {
  groups: { rules: (Alert | { record: string; expr: string })[] }[];
}

const rules = (): Rules => parse(readFileSync(ALERTS, 'utf8')) as Rules;

/** Returns all alerts in the order of the file. An alert with two windows occurs twice. */
export function alerts(): Alert[] {
  return rules().groups.flatMap((group) => group.rules.filter((rule) => 'alert' in rule));
}

/** Returns the content of the file for the Prometheus Operator, without its comment. */
export function prometheusRule(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'weather', labels: { 'app.kubernetes.io/name': 'weather-lookup-service' } },
    spec: rules(),
  };
}

/** Returns the table of the runbook, without the spaces that Prettier adds. */
export function table(): string {
  const lines = alerts().map(
    ({ alert, labels, annotations }) =>
      `| \`${alert}\` | ${labels.severity} | ${annotations['description']} |`,
  );
  return ['| alert | severity | meaning |', '| --- | --- | --- |', ...new Set(lines), ''].join(
    '\n',
  );
}

/** Returns the table of alerts in a document, without the spaces that Prettier adds. */
export function tableIn(document: string): string {
  return (TABLE.exec(document)?.[0] ?? '').replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const head = '# Written by `npm run docs:alerts` from observability/alerts.yaml.\n';
  writeFileSync(PROMETHEUS_RULE, head + stringify(prometheusRule(), { lineWidth: 0 }));
  writeFileSync(
    RUNBOOK,
    readFileSync(RUNBOOK, 'utf8').replace(TABLE, () => table()),
  );
}
