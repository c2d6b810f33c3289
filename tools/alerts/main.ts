import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

/**
 * `npm run docs:alerts` writes the rules of k8s/observability/alerts.yaml in the format of the
 * Prometheus Operator. If the variable `RUNBOOK_BASE_URL` is set, the command first replaces the
 * path of each runbook section by a URL.
 */

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

/**
 * Replaces the path of each section of the runbook, or an earlier URL, by a URL in the annotation
 * `runbook_url`, which Alertmanager and Grafana show as a link.
 * @param text the content of alerts.yaml
 * @param baseUrl the address of the root folder of the repository, for example
 *   `https://git.example.com/weather/blob/main`
 */
export function linkRunbook(text: string, baseUrl: string): string {
  const base = baseUrl.replace(/\/$/, '');
  return text.replace(
    /\brunbook(?:_url)?: \S*?(docs\/operations\/runbook\.md#\S+)$/gm,
    `runbook_url: ${base}/$1`,
  );
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
  const { RUNBOOK_BASE_URL: baseUrl } = process.env;
  if (baseUrl) writeFileSync(ALERTS, linkRunbook(readFileSync(ALERTS, 'utf8'), baseUrl));
  const head = '# Written by `npm run docs:alerts` from observability/alerts.yaml.\n';
  writeFileSync(PROMETHEUS_RULE, head + stringify(prometheusRule(), { lineWidth: 0 }));
}
