import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { watchOver } from '../../support/children.js';
import { eventually } from '../../support/eventually.js';
import { ask } from '../../support/http-client.js';
import type { Lifetime } from '../../support/lifetime.js';
import { ensureCommand } from '../../support/packages.js';
import { freePort } from '../../support/redis-server.js';
import type { Series, Span } from './series.js';

export interface Prometheus {
  query(expression: string, span: Span): Promise<Series[]>;
}

/** Starts a Prometheus that scrapes ports of this machine each second, with the rules of a file. */
export async function startPrometheus(
  t: Lifetime,
  targets: { component: string; port: number }[],
  rules: string,
): Promise<Prometheus> {
  ensureCommand('prometheus', 'prometheus');
  const folder = mkdtempSync(join(tmpdir(), 'weather-prometheus-'));
  const file = join(folder, 'prometheus.yaml');
  const static_configs = targets.map(({ component, port }) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { component, namespace: 'weather' },
  }));
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  const scrape_configs = [{ job_name: 'weather', static_configs }];
  writeFileSync(file, stringify({ global, rule_files: [rules], scrape_configs }));
  const url = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${url}`,
    ],
    { stdio: 'ignore' },
  );
  watchOver(child);
  t.after(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const isReady = async () =>
    (await ask(`http://${url}/-/ready`).catch(() => ({ status: 0 }))).status;
  await eventually(async () => (await isReady()) === 200, 'Prometheus');

  return {
    async query(query, { from, to, step }) {
      const asked = new URLSearchParams({
        query,
        start: String(from),
        end: String(to),
        step: String(step),
      });
      const { json, text } = await ask(`http://${url}/api/v1/query_range?${asked.toString()}`);
      const { data } = json as {
        data?: { result: { metric: Record<string, string>; values: [number, string][] }[] };
      };
      if (!data) throw new Error(`${query}: ${text}`);
      return data.result.map(({ metric, values }) => ({
        labels: metric,
        points: values
          .map(([at, value]): [number, number] => [at, Number(value)])
          .filter(([, value]) => Number.isFinite(value)),
      }));
    },
  };
}
