import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { watchOver } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { freePort } from '../support/redis-server.js';

/** Real monitoring servers with the configuration of the repository. */

const read = (name: string) =>
  readFileSync(new URL(`../../k8s/observability/${name}`, import.meta.url), 'utf8');

/** A process with metrics, as the DNS of Compose returns it. */
export interface Target {
  component: 'api' | 'worker';
  /** Host and port: the label `instance`. */
  address: string;
}

function folderFor(t: Lifetime, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `weather-${name}-`));
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Starts a server and waits until it is ready. Stops it after the test. */
async function start(t: Lifetime, command: string[], readyUrl: string): Promise<void> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  watchOver(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const ready = () =>
    fetch(readyUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(ready, file, 90_000).catch((cause: unknown) => {
    throw new Error(`${file} did not start: ${said}`, { cause });
  });
}

/** A time series, as Prometheus returns it. */
interface Series {
  metric: Record<string, string>;
  values: [number, string][];
}

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/** The functions of the result throw if a query fails. */
export async function startPrometheus(t: Lifetime, targets: Target[]) {
  const folder = folderFor(t, 'prometheus');
  const config = parse(read('prometheus.yaml')) as {
    alerting?: unknown;
    scrape_configs: Record<string, unknown>[];
  };
  delete config.alerting;
  const [job] = config.scrape_configs;
  delete job!['dns_sd_configs'];
  job!['static_configs'] = targets.map(({ component, address }) => ({
    targets: [address],
    labels: { __meta_dns_name: component },
  }));
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(config));
  writeFileSync(join(folder, 'alerts.yaml'), read('alerts.yaml'));
  const address = `127.0.0.1:${await freePort()}`;
  await start(
    t,
    // prettier-ignore
    ['prometheus', '--config.file', join(folder, 'prometheus.yaml'), '--log.level=warn',
      '--storage.tsdb.path', join(folder, 'data'), '--web.listen-address', address],
    `http://${address}/-/ready`,
  );

  async function api(path: string, parameters: Record<string, string> = {}): Promise<unknown> {
    const url = `http://${address}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`;
    const answer = (await (await fetch(url)).json()) as {
      status: string;
      error?: string;
      data: unknown;
    };
    if (answer.status !== 'success') throw new Error(`${parameters['query']}: ${answer.error}`);
    return answer.data;
  }
  const now = () => Date.now() / 1000;
  return {
    async query(query: string) {
      return ((await api('query', { query })) as { result: { metric: object }[] }).result;
    },
    async range(query: string, since: number, step: number) {
      const bounds = { start: String(since), end: String(now()), step: String(step) };
      return ((await api('query_range', { query, ...bounds })) as { result: Series[] }).result;
    },
    async rules() {
      const { groups } = (await api('rules')) as { groups: { rules: { health: string }[] }[] };
      return groups.flatMap(({ rules }) => rules);
    },
    /** The number of targets that are up. */
    async reached() {
      const { activeTargets } = (await api('targets')) as { activeTargets: { health: string }[] };
      return activeTargets.filter(({ health }) => health === 'up').length;
    },
  };
}

/** The API of a Loki. */
export interface Loki {
  push(streams: { stream: Record<string, string>; values: [string, string][] }[]): Promise<void>;
  /** The result of a query over the last hour. @throws when it fails */
  query(expr: string, type: 'instant' | 'range'): Promise<LokiResult[]>;
}

export interface LokiResult {
  /** The result of a query for one number. */
  metric?: Record<string, string>;
  value?: [number, string];
  /** The result of a query for records, or for numbers over time. */
  stream?: Record<string, string>;
  values?: [string, string][];
}

/** @param binary of Loki, in the version of docker-compose.yml */
export async function startLoki(t: Lifetime, binary: string): Promise<Loki> {
  const folder = folderFor(t, 'loki');
  mkdirSync(join(folder, 'loki'));
  const [port, grpc] = [await freePort(), await freePort()];
  const config = parse(read('loki.yaml').replaceAll('/loki', join(folder, 'loki'))) as Record<
    string,
    Record<string, unknown>
  >;
  Object.assign(config['server']!, {
    ...{ http_listen_address: '127.0.0.1', http_listen_port: port },
    ...{ grpc_listen_address: '127.0.0.1', grpc_listen_port: grpc },
  });
  Object.assign(config['common']!, { instance_addr: '127.0.0.1' });
  const file = join(folder, 'loki.yaml');
  writeFileSync(file, stringify(config));
  const url = `http://127.0.0.1:${port}`;
  await start(t, [binary, `-config.file=${file}`], `${url}/ready`);
  return {
    async push(streams) {
      // Loki accepts 4 MB per second by default.
      for (let tries = 0; ; tries += 1) {
        const answer = await fetch(`${url}/loki/api/v1/push`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ streams }),
        });
        if (answer.ok) return;
        const said = await answer.text();
        if (answer.status !== 429 || tries === 60) throw new Error(said);
        await sleep(1000);
      }
    },
    async query(query, type) {
      const now = Date.now();
      const nanoseconds = (at: number) => `${at}000000`;
      const parameters =
        type === 'instant'
          ? { query, time: nanoseconds(now) }
          : // prettier-ignore
            { query, start: nanoseconds(now - 3_600_000), end: nanoseconds(now), step: '60', limit: '5000' };
      const path = type === 'instant' ? 'query' : 'query_range';
      const answer = await fetch(
        `${url}/loki/api/v1/${path}?${new URLSearchParams(parameters).toString()}`,
      );
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${query}: ${text}`);
      return (JSON.parse(text) as { data: { result: LokiResult[] } }).data.result;
    },
  };
}
