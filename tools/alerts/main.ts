import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

/** `npm run docs:alerts` writes the rules of k8s/observability/alerts.yaml in the format of the Prometheus Operator. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const ALERTS = at('k8s/observability/alerts.yaml');
export const PROMETHEUS_RULE = at('k8s/components/prometheus-operator/prometheus-rule.yaml');

/** An alert rule of Prometheus. */
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

/** All alert rules in the order of the file. An alert with several rules occurs several times. */
export function alerts(): Alert[] {
  return rules().groups.flatMap((group) => group.rules.filter((rule) => 'alert' in rule));
}

/** The content of the file for the Prometheus Operator, without its comment. */
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
