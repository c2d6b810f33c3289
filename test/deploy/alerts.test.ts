import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { alerts } from '../../tools/alerts/main.js';
import { startAlertmanager } from '../dashboards/servers.js';
import { eventually } from '../support/eventually.js';
import { ensureCommand } from '../support/packages.js';
import { readCompose, ROOT } from './compose-file.js';

const OBSERVABILITY = join(ROOT, 'k8s/observability');
const HERE = import.meta.dirname;
const read = (path: string) => readFileSync(join(OBSERVABILITY, path), 'utf8');
const NAMES = [...new Set(alerts().map(({ alert }) => alert))];

describe('the alert rules', () => {
  it('fire and resolve as the files *.promtool.yaml describe, which cover every alert', () => {
    ensureCommand('promtool', 'prometheus');
    const promtool = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    };
    promtool('check', 'config', join(OBSERVABILITY, 'prometheus.yaml'));
    const tests = readdirSync(HERE)
      .filter((name) => name.endsWith('.promtool.yaml'))
      .map((name) => join(HERE, name));
    promtool('test', 'rules', ...tests);
    const texts = tests.map((path) => readFileSync(path, 'utf8')).join('');
    const covered = new Set(texts.match(/(?<=alertname=")\w+/g));
    assert.deepEqual([...covered].sort(), [...NAMES].sort());
  });

  it('wait longer than their shortest window, so that none fires for a state that has ended', () => {
    const seconds = (text: string) =>
      Number.parseInt(text, 10) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[text.slice(-1)] ?? 0);
    const windows = (expr: string) =>
      [...expr.matchAll(/(?:[\w:]+_ratio:|\[)(\d+[smhd])/g)].map(([, text = '']) => seconds(text));
    const rates = alerts().filter(({ expr }) => /rate\(|_ratio:/.test(expr));
    assert.ok(rates.length >= 7);
    for (const { alert, expr, for: wait } of rates) {
      const shortest = Math.min(...windows(expr));
      // An alert over days may last for hours after the state has ended.
      assert.ok(seconds(wait) > shortest || shortest >= 6 * 3600, `${alert}: ${wait}`);
    }
  });
});

describe('Alertmanager', () => {
  /** Posts an alert of the rules to Alertmanager, as Prometheus does. With `ended`, the alert has ended. */
  async function postAlert(address: string, name: string, ended = false): Promise<void> {
    const { labels, annotations } = alerts().find(({ alert }) => alert === name)!;
    const alert = {
      labels: { ...labels, alertname: name, job: 'weather', namespace: 'compose' },
      annotations,
      endsAt: ended ? new Date().toISOString() : undefined,
    };
    const { ok } = await fetch(`http://${address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([alert]),
    });
    assert.ok(ok);
  }

  it('notifies of the start and the end of each alert, whatever other alerts fire', async (t) => {
    ensureCommand('prometheus-alertmanager', 'prometheus-alertmanager');
    const { address, posts } = await startAlertmanager(t);
    const notified = (state: string) =>
      posts.flatMap((post) => post.alerts).filter(({ status }) => status === state);
    const allNotified = (state: string, expected: string[]) =>
      eventually(
        () => {
          const names = new Set(notified(state).map(({ labels }) => labels['alertname']));
          return expected.every((name) => names.has(name));
        },
        `all ${state}`,
        120_000,
      );
    for (const name of NAMES) await postAlert(address, name);
    await allNotified('firing', NAMES);
    for (const { annotations } of notified('firing')) {
      assert.match(annotations['runbook_url'] ?? '', /runbook\.md#/);
    }
    // An alert that could inhibit others goes on.
    const ended = NAMES.filter((name) => name !== 'WeatherAllProvidersUnavailable');
    for (const name of ended) await postAlert(address, name, true);
    await allNotified('resolved', ended);
  });

  it('reads the webhook from the file that Compose writes, and is reached by Prometheus', () => {
    const { entrypoint = [] } = readCompose().services['alertmanager']!;
    const [, file = ''] = /url_file: (\S+)/.exec(read('alertmanager.yaml')) ?? [];
    assert.ok(entrypoint.join().includes(`"$$WEBHOOK_URL" > ${file} &&`));
    assert.match(read('prometheus.yaml'), /targets: \[alertmanager:9093\]/);
  });
});
