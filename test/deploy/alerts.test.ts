import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { alerts } from '../../tools/alerts/main.js';
import { ensureCommand } from '../support/packages.js';
import { readCompose, ROOT } from './compose-file.js';

const OBSERVABILITY = join(ROOT, 'k8s/observability');
const HERE = import.meta.dirname;
const read = (path: string) => readFileSync(join(OBSERVABILITY, path), 'utf8');

describe('the alert rules', () => {
  it('fire and resolve as the files *.promtool.yaml describe', () => {
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
  it('notifies of the start and the end of each alert, because no alert inhibits another', () => {
    ensureCommand('amtool', 'prometheus-alertmanager');
    // The Alertmanager of Debian 12 cannot read the address from a file.
    const text = read('alertmanager.yaml').replace('url_file: /tmp/webhook-url', 'url: http://a/');
    const check = 'cat | amtool check-config /dev/stdin';
    const { status, stderr } = spawnSync('sh', ['-c', check], { input: text, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(text, /inhibit_rules|send_resolved: false/);
  });

  it('reads the webhook from the file that Compose writes, and is reached by Prometheus', () => {
    const { entrypoint = [] } = readCompose().services['alertmanager']!;
    const [, file = ''] = /url_file: (\S+)/.exec(read('alertmanager.yaml')) ?? [];
    assert.ok(entrypoint.join().includes(`"$$WEBHOOK_URL" > ${file} &&`));
    assert.match(read('prometheus.yaml'), /targets: \[alertmanager:9093\]/);
  });
});
