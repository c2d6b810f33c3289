import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { alerts, PROMETHEUS_RULE, prometheusRule } from '../tools/alerts/main.js';
import { queriesOf, readDashboard } from './deploy/dashboard.js';
import { rowsOf, sectionOf } from './support/markdown.js';

/** docs/operations/runbook.md has a first step for every alert, message, and reason. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const runbook = read('docs/operations/runbook.md');
const code = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(join('src', name)));

describe('docs/operations/runbook.md', () => {
  const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);

  const names = [...new Set(alerts().map(({ alert }) => alert))].sort();

  it('has one section for every alert, and no section for another alert', () => {
    const sections = headings.filter((heading) => heading?.startsWith('Weather'));
    assert.deepEqual(sections.sort(), names);
  });

  it('lists every alert with its severities at the top, and links to its section', () => {
    const [table = ''] = runbook.split('\n## ');
    const severitiesOf = (name: string) => {
      const all = alerts().filter(({ alert }) => alert === name);
      return [...new Set(all.map(({ labels }) => labels.severity))].join(', ');
    };
    const listed = rowsOf(table).map(([alert, severity]) => [alert, severity].join(' '));
    const expected = names.map((name) => `[${name}](#${name.toLowerCase()}) ${severitiesOf(name)}`);
    assert.deepEqual(listed.sort(), expected);
  });

  it('is where the runbook_url of every alert leads', () => {
    for (const { alert, annotations } of alerts()) {
      assert.ok(annotations['summary'], alert);
      const page = /^https:\/\/\S+\/docs\/operations\/runbook\.md#(\w+)$/;
      assert.equal(page.exec(annotations['runbook_url'] ?? '')?.[1], alert.toLowerCase());
    }
  });

  it('has alerts whose rules for the Prometheus Operator are what `npm run docs:alerts` writes', () => {
    assert.deepEqual(parse(readFileSync(PROMETHEUS_RULE, 'utf8')), prometheusRule());
  });

  it('names panels that the dashboards have', () => {
    const titles = (['service', 'metrics'] as const).flatMap((name) =>
      queriesOf(readDashboard(name)).map(([title]) => title),
    );
    const named = [...runbook.matchAll(/\(?panel\s"([^"]+)"/g)].map(([, panel = '']) =>
      panel.replace(/\s+/g, ' '),
    );
    assert.ok(named.length >= 6, 'panels are found');
    assert.deepEqual(
      named.filter((panel) => !titles.some((title) => title.startsWith(panel))),
      [],
    );
  });

  it('has the first step for every message of a 503', () => {
    const section = sectionOf(runbook, '## WeatherErrors');
    const messages = code.flatMap((text) =>
      [...text.matchAll(/new ServiceUnavailableError\([^'`)]*['`]([^'`$:]+)/g)].map(
        ([, message = '']) => message,
      ),
    );
    assert.ok(messages.length > 3, 'messages are found');
    assert.deepEqual(
      messages.filter((message) => !section.includes(`"${message}"`)),
      [],
    );
  });

  it('has the first step for every rejection of a provider', () => {
    const rows = sectionOf(runbook, '## WeatherProviderUnavailable').split('\n');
    const reasons = code.flatMap((text) => [
      ...text.matchAll(/kind: '(unavailable|quota|bad_answer)',\s+message: '([^']+)'/g),
    ]);
    assert.ok(reasons.length > 5, 'reasons are found');
    for (const [, kind = '', reason = ''] of reasons) {
      const row = rows.some((line) => line.startsWith(`| ${kind}: `) && line.includes(reason));
      assert.ok(row, `${kind}: ${reason}`);
    }
  });

  it('has the first step for every reason of redis_unavailable', () => {
    const section = sectionOf(runbook, '## WeatherRedisUnavailable');
    const union = /type FaultReason =([^;]*);/.exec(code.join('\n'))?.[1] ?? '';
    const names = [...union.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
    assert.ok(names.length > 3, 'reasons are found');
    assert.deepEqual(
      names.filter((name) => !section.includes(`- \`${name}\``)),
      [],
    );
  });
});
