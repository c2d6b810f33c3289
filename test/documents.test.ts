import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROWS } from '../tools/bench/rows.js';
import { shownTarget } from '../tools/bench/results.js';
import { SERVICE_VERSION } from '../src/process/version.js';
import { codeIn, rowsOf, sectionOf } from './support/markdown.js';

/** The documents beside the code: links lead somewhere, tables are complete, a figure has one place. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOT_OURS = new Set(['.cache', '.git', 'dist', 'node_modules']);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path, ending);
    return entry.isFile() && path.endsWith(ending) ? [path] : [];
  });
}

const documents = filesIn(ROOT, '.md');
const code = filesIn(join(ROOT, 'src'), '.ts').map((path) => readFileSync(path, 'utf8'));

/** Every different text that the pattern's group finds, sorted. */
function found(texts: string[], pattern: RegExp): string[] {
  const all = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(all)].sort();
}

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
  const exists = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
  return exists ? undefined : `${relative(ROOT, document)}: ${link}`;
}

/** The documents that nothing links to. */
function unreachable(links: string[][]): string[] {
  const targets = links.map(([document = '', link = '']) =>
    join(dirname(document), link.split('#')[0] ?? ''),
  );
  const isForGitHub = (path: string) => relative(ROOT, path).startsWith('.github');
  return documents
    .filter((path) => !targets.includes(path) && !isForGitHub(path))
    .map((path) => relative(ROOT, path));
}

describe('links in the documents', () => {
  const links = documents.flatMap((document) =>
    [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => [document, link]),
  );

  it('lead to files and headings that exist', () => {
    assert.ok(links.length > 50, 'links are found');
    const wrong = links.map(([document = '', link = '']) => broken(document, link));
    assert.deepEqual(wrong.filter(Boolean), []);
  });

  it('lead to every document', () => {
    assert.deepEqual(unreachable(links), []);
  });
});

describe('the length of a document that people read to the end', () => {
  const LIMITS = {
    'README.md': { lines: 110, words: 1000 },
    'ARCHITECTURE.md': { lines: 150, words: 1750 },
    'CONTRIBUTING.md': { lines: 160, words: 1800 },
  };
  for (const [name, { lines, words }] of Object.entries(LIMITS)) {
    it(`${name}: at most ${lines} lines and ${words} words`, () => {
      const text = read(name).trimEnd();
      const counted = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      assert.ok(text.split('\n').length <= lines, `${text.split('\n').length} lines`);
      assert.ok(counted.length <= words, `${counted.length} words`);
    });
  }

  it('CONTRIBUTING.md: at most fifteen terms in the glossary', () => {
    assert.ok(rowsOf(sectionOf(read('CONTRIBUTING.md'), '## Glossary')).length <= 15);
  });
});

describe('docs/decisions', () => {
  it('numbers its records one after the other, and lists each by its title', () => {
    const names = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d/.test(name));
    const expected = names.sort().map((name, index) => {
      const [, title = ''] = /^# \d+\. (.*)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      assert.match(read(`docs/decisions/${name}`), new RegExp(`^# ${index + 1}\\. `));
      assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, '0')}-`);
      return `${index + 1}. [${title}](${name})`;
    });
    const listed = [...read('docs/decisions/README.md').matchAll(/^\d+\. \[.*$/gm)];
    assert.deepEqual(
      listed.map(([line]) => line),
      expected,
    );
  });
});

describe('figures', () => {
  const performance = read('docs/performance.md');
  const [, tables = ''] = sectionOf(performance, '## The table of targets').split(
    'minimal program',
  );
  const targets = rowsOf(tables);

  it('docs/performance.md has the rows, first versions and targets of the benchmark', () => {
    assert.deepEqual(
      targets.map(([what, first, , target]) => [what, first, target]),
      ROWS.map((row) => {
        const { what, firstVersion, unit } = row;
        const hasUnit = !['', '×'].includes(unit) && firstVersion !== 'not measured';
        return [what, hasUnit ? `${firstVersion} ${unit}` : firstVersion, shownTarget(row)];
      }),
    );
  });

  it('measured memory stands in docs/performance.md only', () => {
    const megabytes = targets.map(([, , now = '']) => now).filter((now) => now.endsWith(' MB'));
    assert.ok(megabytes.length > 0, 'the table has memory');
    for (const path of documents.filter((each) => !each.endsWith('docs/performance.md'))) {
      for (const figure of megabytes)
        assert.ok(!prose(path).includes(figure), `${path}: ${figure}`);
    }
  });

  it('the number of places is that of src/places/README.md everywhere', () => {
    const [, exact = ''] = /gazetteer: ([\d,]+) places/.exec(read('src/places/README.md')) ?? [];
    const rounded = Math.floor(Number(exact.replace(',', '')) / 10_000) * 10_000;
    for (const name of ['README.md', 'docs/performance.md']) {
      const said = found([read(name)], /([\d,]+) (?:known )?places\b/g);
      assert.ok(said.includes(rounded.toLocaleString('en')), `${name}: ${said.join(' ')}`);
    }
  });

  it('docs/operations/deploy.md builds the image under the version of the service', () => {
    const versions = found([read('docs/operations/deploy.md')], /weather-lookup-service:([\d.]+)/g);
    assert.deepEqual(versions, [SERVICE_VERSION]);
  });
});

describe('docs/operations/watch.md', () => {
  const watch = read('docs/operations/watch.md');
  /** Every name in the first cells of a section's table. */
  const listedIn = (section: string) =>
    rowsOf(sectionOf(watch, section).split('###')[0] ?? '')
      .flatMap(([names = '']) => codeIn(names))
      .sort();

  it('lists every log event that the code or nginx writes, and no other', () => {
    const nginx = read('k8s/nginx/weather.conf.template');
    const written = [
      ...found(code, /\bevent: (?:[^',{}]*\? )?'(\w+)'/g),
      ...found(code, /\bevent: [^',{}]*\? '\w+' : '(\w+)'/g),
      ...found(code, /process\.on\('\w+', exit\('(\w+)'\)\)/g),
      ...found([nginx], /"event":"(\w+)"/g),
    ];
    assert.deepEqual(listedIn('## Logs'), [...new Set(written)].sort());
  });

  it('lists every metric that the code has, and no other', () => {
    assert.deepEqual(listedIn('## Metrics'), found(code, /\bname: '(weather_\w+)'/g));
  });
});
