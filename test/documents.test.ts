import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** What documents say of other files: their links lead somewhere, and their tables are complete. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOT_OURS = new Set(['.git', 'dist', 'node_modules']);

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path, ending);
    return entry.isFile() && path.endsWith(ending) ? [path] : [];
  });
}

const documents = filesIn(ROOT, '.md');

/** Text outside of code blocks. */
const prose = (path: string) => readFileSync(path, 'utf8').replace(/^```[^]*?^```$/gm, '');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...prose(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Where a link leads when that is nowhere; undefined for a good one and for other hosts. */
function broken(document: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : join(dirname(document), file);
  const found = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
  return found ? undefined : `${relative(ROOT, document)}: ${link}`;
}

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const links = documents.flatMap((document) =>
      [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => [document, link]),
    );
    assert.ok(links.length > 20, 'links are found');
    const wrong = links.map(([document = '', link = '']) => broken(document, link));
    assert.deepEqual(wrong.filter(Boolean), []);
  });

  it('keep the README to a length that one reads to the end', () => {
    const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length;
    assert.ok(lines <= 180, `${lines} lines`);
  });
});

describe("the operator's handbook", () => {
  const handbook = readFileSync(join(ROOT, 'k8s/README.md'), 'utf8');
  const code = filesIn(join(ROOT, 'src'), '.ts').map((path) => readFileSync(path, 'utf8'));

  /** Every name in the first cell of a section's table. */
  function tableOf(section: string): string[] {
    const [, text = ''] = handbook.split(`\n## ${section}\n`);
    const [body = ''] = text.split('\n## ');
    return [...body.matchAll(/^\| (`[^|]*`) *\|/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)])
      .map(([, name = '']) => name)
      .sort();
  }
  const found = (texts: string[], pattern: RegExp) =>
    [
      ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
    ].sort();

  it('lists every log event that the code writes', () => {
    const listed = tableOf('Logs');
    const written = found(code, /\bevent: '(\w+)'/g);
    assert.ok(written.length > 15, 'events are found');
    assert.deepEqual(
      written.filter((event) => !listed.includes(event)),
      [],
    );
  });

  it('lists every metric that the code has, and no other', () => {
    assert.deepEqual(tableOf('Metrics'), found(code, /\bname: '(weather_\w+)'/g));
  });

  it('has the first step for every message of a 503', () => {
    const messages = found(code, /new ServiceUnavailableError\([^'`]*['`]([^'`$:]+)/g);
    assert.ok(messages.length > 3, 'messages are found');
    assert.deepEqual(
      messages.filter((message) => !handbook.includes(`"${message}"`)),
      [],
    );
  });

  it('has the first step for every way in which a provider refuses', () => {
    const [, section = ''] = handbook.split('\n### WeatherProviderAway\n');
    const [body = ''] = section.split('\n### ');
    const kinds = 'unavailable|quota|bad_answer';
    const reasons = found(code, new RegExp(`kind: '((?:${kinds})', message: '[^']+)'`, 'g'));
    assert.ok(reasons.length > 5, 'reasons are found');
    for (const [kind = '', reason = ''] of reasons.map((each) => each.split("', message: '"))) {
      const row = body
        .split('\n')
        .some((line) => line.startsWith(`| ${kind}: `) && line.includes(reason));
      assert.ok(row, `${kind}: ${reason}`);
    }
  });

  it('shows each dashboard with all of its panels', () => {
    const folder = join(ROOT, 'k8s/observability/grafana');
    for (const name of ['metrics', 'service']) {
      assert.ok(handbook.includes(`(observability/grafana/pictures/${name}.svg)`), name);
      const picture = readFileSync(join(folder, `pictures/${name}.svg`), 'utf8');
      const dashboard = readFileSync(join(folder, `dashboards/${name}.json`), 'utf8');
      const { panels } = JSON.parse(dashboard) as { panels: { title: string }[] };
      for (const { title } of panels) assert.ok(picture.includes(`>${title}</text>`), title);
    }
  });

  const rules = readFileSync(join(ROOT, 'k8s/observability/alerts.yaml'), 'utf8');

  it('has a heading for every alert, to which its runbook leads', () => {
    const alerts = parse(rules) as {
      groups: { rules: { alert?: string; annotations?: { runbook: string } }[] }[];
    };
    const anchors = anchorsOf(join(ROOT, 'k8s/README.md'));
    for (const { alert, annotations } of alerts.groups.flatMap((group) => group.rules)) {
      if (alert === undefined) continue;
      const link = /k8s\/README\.md#([\w-]+)$/.exec(annotations?.runbook.trim() ?? '')?.[1];
      assert.equal(link, alert.toLowerCase());
      assert.ok(anchors.includes(link), alert);
    }
  });

  it('lists every alert, and no other', () => {
    assert.deepEqual(tableOf('Alerts'), found([rules], /^ *- alert: (\w+)$/gm));
  });
});
