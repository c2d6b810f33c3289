import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { alerts } from '../../tools/alerts/main.js';
import { watchOver } from '../support/children.js';
import { eventually } from '../support/eventually.js';
import { ensureCommand } from '../support/packages.js';
import { freePort } from '../support/redis-server.js';

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
  it('posts an alert, with the link to its runbook, to the address that Compose gives it', async (t) => {
    ensureCommand('prometheus-alertmanager', 'prometheus-alertmanager');
    const posted: { alerts: { annotations: object }[] }[] = [];
    const operator = createServer((request, response) => {
      void json(request).then((body) => {
        posted.push(body as (typeof posted)[number]);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(operator, 'listening');
    const folder = mkdtempSync(join(tmpdir(), 'weather-alertmanager-'));
    const webhook = `http://127.0.0.1:${(operator.address() as AddressInfo).port}`;
    // Debian 12 has an Alertmanager that cannot read the address from a file.
    const text = read('alertmanager.yaml').replace('url_file: /tmp/webhook-url', `url: ${webhook}`);
    assert.ok(text.includes(webhook));
    // It collects alerts for half a minute before it posts them.
    const hasty = text.replace(/^route:\n/m, '$&  group_wait: 1s\n');
    writeFileSync(join(folder, 'alertmanager.yaml'), hasty);
    const url = `127.0.0.1:${await freePort()}`;
    const alertmanager = spawn(
      'prometheus-alertmanager',
      // prettier-ignore
      ['--config.file', join(folder, 'alertmanager.yaml'), '--storage.path', folder,
        '--web.listen-address', url, '--cluster.listen-address='],
      { stdio: 'ignore' },
    );
    watchOver(alertmanager);
    t.after(async () => {
      alertmanager.kill('SIGKILL');
      if (alertmanager.exitCode === null) await once(alertmanager, 'exit');
      operator.close();
      operator.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    });
    const { alert, labels, annotations } = alerts()[0]!;
    const body = JSON.stringify([
      {
        labels: { ...labels, alertname: alert, job: 'weather', namespace: 'compose' },
        annotations,
      },
    ]);
    const headers = { 'content-type': 'application/json' };
    const accepts = () =>
      fetch(`http://${url}/api/v2/alerts`, { method: 'POST', body, headers }).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(accepts, 'Alertmanager to take an alert');
    await eventually(() => posted.length > 0, 'the alert at the webhook', 120_000);
    assert.deepEqual(posted[0]?.alerts[0]?.annotations, annotations);
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
    const { route, inhibit_rules } = parse(read('alertmanager.yaml')) as Record<string, object>;
    // The operator's names are in camel case, and its matchers are objects.
    const camel = (value: unknown) =>
      JSON.stringify(value)
        .replace(/_(\w)(?=\w*":)/g, (_, letter: string) => letter.toUpperCase())
        .replaceAll('Matchers":', 'Match":');
    const flat = (value: unknown) =>
      JSON.stringify(value).replace(
        /\{"name":"(\w+)","value":"([^"]+)","matchType":"([^"]+)"\}/g,
        (_, name: string, text: string, type: string) => JSON.stringify(`${name}${type}"${text}"`),
      );
    assert.equal(flat(spec['route']), camel(route));
    assert.equal(flat(spec['inhibitRules']), camel(inhibit_rules));
  });
});
