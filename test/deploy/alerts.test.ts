import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { alerts } from '../../tools/alerts/main.js';
import { startAlertmanager } from '../dashboards/servers.js';
import { eventually } from '../support/eventually.js';
import { ensureCommand } from '../support/packages.js';

const FOLDER = fileURLToPath(new URL('../../k8s/observability/', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

describe('the alerts', () => {
  it('fire when they must, each of them, and none when all is well', () => {
    ensureCommand('promtool', 'prometheus');
    const promtool = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    };
    promtool('check', 'config', join(FOLDER, 'prometheus.yaml'));
    const tests = readdirSync(HERE)
      .filter((name) => name.endsWith('.promtool.yaml'))
      .map((name) => join(HERE, name));
    promtool('test', 'rules', ...tests);
    const texts = tests.map((path) => readFileSync(path, 'utf8')).join('');
    const tried = new Set(texts.match(/(?<=alertname=")\w+/g));
    assert.deepEqual([...tried].sort(), [...new Set(alerts().map(({ alert }) => alert))].sort());
  });

  it('wait longer than they look back, so that none fires for what is over', () => {
    const seconds = (text: string) =>
      Number.parseInt(text, 10) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[text.slice(-1)] ?? 0);
    const windows = (expr: string) =>
      [...expr.matchAll(/(?:[\w:]+_ratio:|\[)(\d+[smhd])/g)].map(([, text = '']) => seconds(text));
    const rates = alerts().filter(({ expr }) => /rate\(|_ratio:/.test(expr));
    assert.ok(rates.length >= 7);
    for (const { alert, expr, for: wait } of rates) {
      // What takes days to notice may be told for hours after it.
      const shortest = Math.min(...windows(expr));
      assert.ok(seconds(wait) > shortest || shortest >= 6 * 3600, `${alert}: ${wait}`);
    }
  });

  it('have the threshold in their expression that their description tells', () => {
    const scale: Record<string, number> = { '%': 0.01, ms: 0.001, s: 1 };
    const told = alerts().flatMap(({ alert, expr, annotations }) =>
      [...(annotations['description'] ?? '').matchAll(/([\d.]+) (%|ms|s)(?!\w)/g)].map(
        ([text, number, unit = '']) => ({
          alert,
          expr,
          text,
          value: Number(number) * (scale[unit] ?? 0),
        }),
      ),
    );
    assert.ok(told.length >= 7);
    for (const { alert, expr, text, value } of told) {
      const compared = [...expr.matchAll(/[<>]=? ([\d.]+)/g)].map(([, number]) => Number(number));
      assert.ok(
        compared.some((each) => Math.abs(each - value) < 1e-9),
        `${alert}: ${text}`,
      );
    }
  });
});

describe('Alertmanager', () => {
  /** Gives it an alert of the rules, as Prometheus does, and ends it there if asked to. */
  async function give(address: string, name: string, ended = false): Promise<void> {
    const { labels, annotations } = alerts().find(({ alert }) => alert === name)!;
    const own = { alertname: name, job: 'weather', namespace: 'compose' };
    const end = { ...(ended && { endsAt: new Date().toISOString() }) };
    const { ok } = await fetch(`http://${address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels: { ...labels, ...own }, annotations, ...end }]),
    });
    assert.ok(ok);
  }

  it('posts each alert, with the link to its runbook, and its end, whatever else fires', async (t) => {
    ensureCommand('prometheus-alertmanager', 'prometheus-alertmanager');
    const { address, posts } = await startAlertmanager(t);
    const told = (state: string) =>
      posts.flatMap((post) => post.alerts).filter(({ status }) => status === state);
    const names = new Set(alerts().map(({ alert }) => alert));
    const allTold = (state: string) =>
      eventually(
        () => {
          const heard = new Set(told(state).map(({ labels }) => labels['alertname']));
          return [...names].every((name) => heard.has(name));
        },
        `all ${state}`,
        120_000,
      );
    for (const name of names) await give(address, name);
    await allTold('firing');
    for (const { annotations } of told('firing'))
      assert.match(annotations['runbook_url'] ?? '', /runbook\.md#/);
    // What might silence others lasts.
    names.delete('WeatherAllProvidersUnavailable');
    for (const name of names) await give(address, name, true);
    await allTold('resolved');
  });

  it('reads the address where Compose writes it, and is asked by Prometheus there', () => {
    const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
    const { services } = parse(compose, { merge: true }) as {
      services: Record<string, { entrypoint?: string[]; networks: string[] }>;
    };
    const { entrypoint = [], networks } = services['alertmanager']!;
    const [, file = ''] = /url_file: (\S+)/.exec(read('alertmanager.yaml')) ?? [];
    assert.ok(entrypoint.join().includes(`"$$WEBHOOK_URL" > ${file} &&`));
    // To be reached by Prometheus, and to reach the receiver.
    assert.deepEqual(networks, ['observability', 'dashboards']);
    assert.match(read('prometheus.yaml'), /targets: \[alertmanager:9093\]/);
  });

  it('has the same routes on Kubernetes', () => {
    const file = new URL(
      '../../k8s/components/prometheus-operator/alertmanager-config.yaml',
      import.meta.url,
    );
    const { spec } = parse(readFileSync(file, 'utf8')) as { spec: Record<string, object> };
    const { route } = parse(read('alertmanager.yaml')) as Record<string, object>;
    // The operator's names are in camel case, and its matchers are objects.
    const camel = (value: unknown) =>
      JSON.stringify(value).replace(/_(\w)(?=\w*":)/g, (_, letter: string) => letter.toUpperCase());
    const flat = (value: unknown) =>
      JSON.stringify(value).replace(
        /\{"name":"(\w+)","value":"([^"]+)","matchType":"([^"]+)"\}/g,
        (_, name: string, text: string, type: string) => JSON.stringify(`${name}${type}"${text}"`),
      );
    assert.equal(flat(spec['route']), camel(route));
  });
});
