import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

/** The alerts as the Prometheus Operator takes them: `npm run docs:alerts` writes the file anew. */
const FROM = new URL('../../k8s/observability/alerts.yaml', import.meta.url);
export const PROMETHEUS_RULE = new URL(
  '../../k8s/components/prometheus-operator/prometheus-rule.yaml',
  import.meta.url,
);

/** What the file must contain, beside its comment. */
export function prometheusRule(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'weather', labels: { 'app.kubernetes.io/name': 'weather-lookup-service' } },
    spec: parse(readFileSync(FROM, 'utf8')) as object,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const head = '# Written by `npm run docs:alerts` from observability/alerts.yaml.\n';
  writeFileSync(PROMETHEUS_RULE, head + stringify(prometheusRule(), { lineWidth: 0 }));
}
