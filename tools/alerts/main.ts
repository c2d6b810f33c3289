import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

/** `npm run docs:alerts` writes the rules of k8s/observability/alerts.yaml in the format of the Prometheus Operator. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const ALERTS = at('k8s/observability/alerts.yaml');
export const PROMETHEUS_RULE = at('k8s/components/prometheus-operator/prometheus-rule.yaml');

/** A rule of Prometheus that raises an alert. */
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

/** All alerts, in the order of the file. One that has two windows comes twice. */
export function alerts(): Alert[] {
  return rules().groups.flatMap((group) => group.rules.filter((rule) => 'alert' in rule));
}

/** What the operator's file must contain, beside its comment. */
export function prometheusRule(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'weather', labels: { 'app.kubernetes.io/name': 'weather-lookup-service' } },
    spec: rules(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const head = '# Written by `npm run docs:alerts` from observability/alerts.yaml.\n';
  writeFileSync(PROMETHEUS_RULE, head + stringify(prometheusRule(), { lineWidth: 0 }));
}
