import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { freePort } from '../../support/redis-server.js';
import { startStack } from '../../support/stack.js';
import { PATHS } from '../../support/stand-in.js';
import type { Dashboard } from '../dashboard.js';
import type { Shipped } from '../scenario.js';
import { queryRecords, selectRecords } from './logs.js';
import { startPrometheus } from './prometheus.js';
import type { Series, Span } from './series.js';
import { drawDashboard, type Drawn } from './svg.js';

/**
 * `npm run docs:dashboards` draws what the queries of both dashboards give for two minutes of real
 * processes: calm, then one provider fails, then all, then Redis is killed, then calm again.
 * Grafana and Loki are in no package registry; Prometheus is.
 */

const FOLDER = fileURLToPath(new URL('../../../k8s/observability/', import.meta.url));
const PHASE_MS = 24_000;
const STEP_SECONDS = 2;
/** Records that a list shows. */
const SHOWN = 10;

type Panel = Dashboard['panels'][number] & {
  gridPos: Drawn['gridPos'];
  fieldConfig?: { defaults: { unit?: string; noValue?: string } };
};

const closers: (() => unknown)[] = [];
const lifetime = { after: (close: () => unknown) => void closers.unshift(close) };

/** Lives the two minutes. @returns what draws a dashboard */
async function live(): Promise<(name: string) => Promise<void>> {
  const stack = await startStack(lifetime, {
    redis: { args: ['--maxmemory', '64mb'] },
    replicas: 0,
    workers: 0,
    env: {
      CACHE_TTL_SECONDS: '15',
      PROVIDER_BUDGETS: 'open-meteo=600/60;met-norway=20/1',
      TRUST_PROXY: '1',
      RATE_LIMIT_PER_IP: '30',
      RATE_LIMIT_PER_IP_WINDOW_SECONDS: '20',
    },
  });
  const { upstream, redis } = stack;
  // Soon nothing that it gave may be used again.
  upstream.world.metExpiresMs = 5000;
  const targets: { component: string; port: number }[] = [];
  const next = async (component: string) => {
    const port = await freePort();
    targets.push({ component, port });
    return { METRICS_PORT: String(port) };
  };
  await stack.addWorker(await next('worker'));
  for (let n = 0; n < 3; n += 1) await stack.addReplica(await next('api'));
  const prometheus = await startPrometheus(lifetime, targets, `${FOLDER}alerts.yaml`);
  const from = Math.floor(Date.now() / 1000);

  let count = 0;
  async function traffic(): Promise<void> {
    const until = Date.now() + PHASE_MS;
    while (Date.now() < until) {
      count += 1;
      const impatient = count % 7 === 0;
      const headers = {
        'X-Forwarded-For': impatient ? '203.0.113.9' : `198.51.100.${count % 250}`,
      };
      // One in nine asks for a place that is new, one in fifty for one that is none.
      const known = count % 9 === 0 ? count : count % 40;
      const city = `/api/v1/weather?city=${['Oslo', 'Bergen', 'Tromsø'][count % 3]}&country=Norway`;
      const path =
        count % 50 === 0 ? '/api/v1/weather?city=Oslo' : count % 4 === 0 ? city : placePath(known);
      void attempt(stack.url(encodeURI(path)), { headers });
      await sleep(40);
    }
  }
  const providers = [PATHS.openMeteo, PATHS.metNorway];
  const fail = (paths: string[]) => {
    for (const path of paths) upstream.behave(path, { kind: 'status', status: 500 });
  };
  await traffic();
  fail(providers.slice(0, 1));
  await traffic();
  fail(providers);
  await traffic();
  for (const path of providers) upstream.behave(path);
  await redis.kill('SIGKILL');
  setTimeout(() => void redis.restart(), PHASE_MS / 2);
  await traffic();
  await traffic();

  const span: Span = { from, to: Math.floor(Date.now() / 1000), step: STEP_SECONDS };
  const records = [...stack.replicas, ...stack.workers].flatMap((service): Shipped[] =>
    service.records.map((record) => ({
      component: stack.workers.includes(service) ? 'worker' : 'api',
      record,
    })),
  );
  records.sort((a, b) => Date.parse(a.record.timestamp) - Date.parse(b.record.timestamp));
  const asked = records.find(
    ({ record }) => record['cache'] === 'STALE' && 'fetch_id' in record,
  )?.record;
  const filledIn = (expression: string) =>
    expression
      .replaceAll('$__range', `${span.to - span.from}s`)
      .replaceAll(/\$__(auto|rate_interval)/g, '6s')
      .replaceAll(/\$(request_id|fetch_id)/g, (_, box: string) => String(asked?.[box]))
      .replaceAll(/\$(namespace|component|instance)/g, '.*');

  async function drawn(panel: Panel): Promise<Drawn> {
    const { title, type, gridPos, targets: queries = [], fieldConfig } = panel;
    const series: Drawn['series'] = [];
    const lines: string[] = [];
    for (const { expr, legendFormat, datasource } of queries) {
      const expression = filledIn(expr);
      if (type === 'logs') {
        const found = selectRecords(expression, records).slice(-SHOWN);
        lines.push(...found.map(({ record }) => JSON.stringify(record)));
        continue;
      }
      const results = datasource.uid.includes('loki')
        ? queryRecords(expression, records, span)
        : await prometheus.query(expression, span);
      series.push(
        ...results.map((each) => ({ name: nameOf(each, legendFormat), points: each.points })),
      );
    }
    const { unit, noValue } = fieldConfig?.defaults ?? {};
    return { title, type, unit, noValue, gridPos, series, lines };
  }

  return async (name) => {
    const file = `${FOLDER}grafana/dashboards/${name}.json`;
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] };
    const all = await Promise.all(panels.map(drawn));
    writeFileSync(`${FOLDER}grafana/pictures/${name}.svg`, drawDashboard(all, span));
  };
}

function nameOf({ labels }: Series, legend = ''): string {
  if (legend === '') return Object.values(labels).join(' ');
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '');
}

try {
  const draw = await live();
  await draw('metrics');
  await draw('service');
} finally {
  for (const close of closers) await close();
}
