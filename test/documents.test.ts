import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { info } from '../tools/openapi/info.js';
import { description } from '../tools/openapi/index.js';
import { SERVICE_VERSION } from '../src/process/version.js';
import { variablesOf } from '../src/config/variable.js';
import { VARIABLES } from '../src/config/variables.js';
import { MAX_RECENT_SEARCHES } from '../src/recent-searches.js';
import { POSITION } from '../src/weather/position.js';
import { kinds } from './support/kinds.js';
import { codeIn, rowsOf, sectionOf } from './support/markdown.js';

/** Compares the documents with the code: links, tables, and figures. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Bytes of a key with a TTL in the index of Redis, as in docs/storage.md. */
const INDEX_BYTES = 80;
const numberOf = (text: string) => Number(text.replaceAll(',', ''));
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

/** Every distinct match of the first group of a pattern, sorted. */
function found(texts: string[], pattern: RegExp): string[] {
  const all = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(all)].sort();
}

/** Text outside of code blocks. */
const prose = (path: string) => readFileSync(path, 'utf8').replace(/^```[^]*?^```$/gm, '');

/** The anchors that GitHub creates for the headings of a document. */
function anchorsOf(path: string): string[] {
  return [...prose(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Describes a broken link. Undefined for a correct link, and for links to other hosts. */
function broken(document: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : join(dirname(document), file);
  const exists = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
  return exists ? undefined : `${relative(ROOT, document)}: ${link}`;
}

/** The documents without a link to them. */
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
    [...prose(document).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"\s]+)"/g)].map(
      ([, link, attribute = '']) => [document, link ?? attribute],
    ),
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

describe('docs/decisions', () => {
  it('lists each record by its number and title, in order', () => {
    const names = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d/.test(name));
    const expected = names.sort().map((name) => {
      const number = Number(name.slice(0, 4));
      const [, title = ''] = /^# \d+\. (.*)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      assert.match(read(`docs/decisions/${name}`), new RegExp(`^# ${number}\\. `), name);
      return `- ${number}\\. [${title}](${name})`;
    });
    const listed = [...read('docs/decisions/README.md').matchAll(/^- \d+\\. \[.*$/gm)];
    assert.deepEqual(
      listed.map(([line]) => line),
      expected,
    );
  });
});

describe('the releases that every change is tested beside', () => {
  it('begin with the newest one of the changelog', () => {
    const [, newest = ''] = /^## (\d\S*) - \d/m.exec(read('CHANGELOG.md')) ?? [];
    // The commit of a release cannot contain its own hash. The next commit does.
    const head = spawnSync('git', ['log', '-1', '--format=%s'], { cwd: ROOT, encoding: 'utf8' });
    if (head.stdout.trim() === `Release ${newest}`) return;
    const [, first] = /^ +name: '(\S+)'/m.exec(read('test/upgrade/releases.ts')) ?? [];
    assert.equal(first, newest);
  });
});

describe('figures', () => {
  it('docs/operations/sizing.md adds up the bytes of docs/storage.md', () => {
    const bytes = (text = '') => Math.max(...(text.match(/[\d,]+/g) ?? []).map(numberOf));
    const stored = new Map(
      rowsOf(read('docs/storage.md')).map((row) => [codeIn(row[0] ?? '')[0], bytes(row[4])]),
    );
    const sized = new Map(
      rowsOf(sectionOf(read('docs/operations/sizing.md'), '## Memory of Redis')).map(
        ([what, each]) => [what, bytes(each)],
      ),
    );
    for (const [what, name] of [
      ['cached places', 'weather:entry4:{<place>}'],
      ['rate limits', 'weather:window3:{<tag>}:<window>'],
      ['sessions whose cookie came back', 'weather:session4:{<session>}'],
    ] as const) {
      const expected = Math.ceil(((stored.get(name) ?? Number.NaN) + INDEX_BYTES) / 100) * 100;
      assert.equal(sized.get(what), expected, what);
    }
  });

  it('the maximum number of recent searches is the same everywhere', () => {
    const numbers: Record<string, number> = { ten: 10 };
    const texts = {
      readme: read('README.md'),
      clients: read('docs/clients.md'),
      api: info.description,
    };
    for (const [where, text] of Object.entries(texts)) {
      const said = found([text], /last (\w+) searches/g);
      assert.ok(said.length > 0, where);
      const wrong = said.filter((each) => (numbers[each] ?? Number(each)) !== MAX_RECENT_SEARCHES);
      assert.deepEqual(wrong, [], where);
    }
  });

  it('docs/operations/sizing.md has the cache entries of each TTL', () => {
    const section = sectionOf(read('docs/operations/sizing.md'), '## Memory of Redis');
    const ttls = variablesOf(VARIABLES.cache.ttlSeconds).map(({ name }) => name);
    assert.deepEqual(
      ttls.filter((name) => !codeIn(section).includes(name)),
      [],
    );
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

describe('README.md', () => {
  it('lists every path of the API description', () => {
    const section = sectionOf(read('README.md'), '## Endpoints').split('```')[0] ?? '';
    const missing = Object.keys(description.paths).filter((path) => {
      // `…/ready` continues the path before it.
      const short = `…/${path.split('/').at(-1)}`;
      return !codeIn(section).includes(path) && !codeIn(section).includes(short);
    });
    assert.deepEqual(missing, []);
  });
});

describe('docs/clients.md', () => {
  it('has a request for each path except health checks and aliases', () => {
    const paths = Object.keys(description.paths).filter(
      (path) => path.startsWith('/api/v1/') && !path.includes('/health'),
    );
    const text = read('docs/clients.md');
    assert.deepEqual(
      paths.filter((path) => !text.includes(`localhost:8080${path}`)),
      [],
    );
  });
});

describe('docs/operations/watch.md', () => {
  const watch = read('docs/operations/watch.md');
  /** Every name in the first column of the table of a section. */
  const listedIn = (section: string) =>
    rowsOf(sectionOf(watch, section).split('###')[0] ?? '')
      .flatMap(([names = '']) => codeIn(names))
      .sort();

  it('lists every kind of a `weather_request` record', () => {
    const [, level = '', about = ''] =
      rowsOf(sectionOf(watch, '## Logs')).find(([event]) => event === '`weather_request`') ?? [];
    assert.notEqual(level, '');
    const missing = [...kinds.keys()].filter((name) => !codeIn(about).includes(name));
    // A position is looked up for another kind, and has no endpoint.
    assert.deepEqual(missing, [POSITION.name]);
  });

  it('lists every metric that the code has, and no other', () => {
    assert.deepEqual(
      listedIn('## Metrics'),
      found(code, /\b(?:counter|gauge|histogram|add)\(\s*'(weather_\w+)'/g),
    );
  });
});
