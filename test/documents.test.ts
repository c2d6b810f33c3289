import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { alerts, linkRunbook, PROMETHEUS_RULE, prometheusRule } from '../tools/alerts/main.js';
import { PROVIDERS } from '../src/config/providers.js';
import { LOCATION_ENDPOINTS } from '../src/http/endpoints/location-routes.js';
import { createNames } from '../src/redis/names.js';
import { LANGUAGES } from '../src/weather/conditions/condition-texts.js';
import { POINT_KINDS } from '../src/weather/kinds/kinds.js';
import { rowOf } from '../src/weather/kinds/quantities.js';
import type { Quantities } from '../src/weather/kinds/values.js';
import { description } from '../tools/openapi/index.js';
import { codeIn, commandsOf, rowsOf, sectionOf } from './support/markdown.js';

/** Compares the documents with the code: links, lists, and tables. */

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

const QUANTITIES_OF_KINDS: Quantities[] = POINT_KINDS.map(({ kind }) => kind.quantities);

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
});

describe('a table in the documents', () => {
  it('is padded only up to 120 characters, so that a new word does not change every line', () => {
    const padded = documents.flatMap((document) =>
      prose(document)
        .split('\n')
        .filter(
          (line) => line.startsWith('|') && line.length > 120 && /[^|] {2,}\||-{4,}/.test(line),
        )
        .map((line) => `${relative(ROOT, document)}: ${line.slice(0, 60)}`),
    );
    const message =
      'Put <!-- prettier-ignore --> before each of these tables, and one space around each cell';
    assert.deepEqual(padded, [], message);
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

describe('README.md', () => {
  it('gives the number of languages', () => {
    const text = `${LANGUAGES.length - 1} languages besides`;
    assert.ok(read('README.md').replaceAll(/\s+/g, ' ').includes(text), text);
  });

  it('names nothing as missing that the service has', () => {
    const [, missing = ''] = /What is missing\?\*\* ([^]*?)\n\n/.exec(read('README.md')) ?? [];
    const names = LOCATION_ENDPOINTS.map(({ summary }) => summary.toLowerCase());
    assert.ok(missing.includes('maps'));
    assert.deepEqual(
      names.filter((name) => missing.toLowerCase().includes(name)),
      [],
    );
  });

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
  const clients = read('docs/clients.md');
  const commands = commandsOf(clients);

  it('has an example of every operation that is no alias', () => {
    const missing = Object.entries(description.paths)
      .filter(([path]) => path.startsWith('/api/v1/') && !path.includes('/health'))
      .flatMap(([path, item]) =>
        Object.keys(item).map((method) => ({ path, method: method.toUpperCase() })),
      )
      .filter(({ path, method }) => {
        const example = new RegExp(`localhost:8080${path}(?=['? ]|$)`);
        const isMethod = (command: string) => (/-X (\w+)/.exec(command)?.[1] ?? 'GET') === method;
        return !commands.some((command) => example.test(command) && isMethod(command));
      });
    assert.deepEqual(missing, []);
  });

  const providerTable = sectionOf(clients, '## Which provider has what');

  it('has a column for every provider', () => {
    const [header = ''] = providerTable.split('\n').filter((line) => line.startsWith('| member'));
    assert.deepEqual(
      codeIn(header),
      PROVIDERS.map(([name]) => name),
    );
  });

  it('says of every value that may be null which providers have it, or the value says it itself', () => {
    const required = QUANTITIES_OF_KINDS.flatMap(({ required }) => required);
    const listed = rowsOf(providerTable).flatMap(([member = '']) => codeIn(member));
    const missing = QUANTITIES_OF_KINDS.flatMap(({ optional }) => optional).filter(
      (name) =>
        !required.includes(name) &&
        !listed.includes(name) &&
        !/Only .+ has it/.test(rowOf(name).note ?? ''),
    );
    assert.deepEqual(missing, []);
  });

  it('has the error of every parameter, with its bounds', () => {
    const rows = rowsOf(sectionOf(clients, '## Errors'));
    for (const { parameters } of LOCATION_ENDPOINTS) {
      for (const { description: about } of Object.values(parameters)) {
        if (about.maximum === undefined) continue;
        const error = `Invalid ${about.name}`;
        const [, , condition = ''] =
          rows.find(([, titles = '']) => codeIn(titles).includes(error)) ?? [];
        const bounds = `\`${about.name}\` from ${about.minimum} to ${about.maximum}`;
        assert.ok(condition.includes(bounds), `${error}: ${bounds}`);
      }
    }
  });
});

describe('docs/operations/runbook.md', () => {
  const runbook = read('docs/operations/runbook.md');
  const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);

  const names = [...new Set(alerts().map(({ alert }) => alert))].sort();

  it('has one section for every alert, and no section for another alert', () => {
    const sections = headings.filter((heading) => heading?.startsWith('Weather'));
    assert.deepEqual(sections.sort(), names);
  });

  it('is named by each alert, with the section of the alert', () => {
    for (const { alert, annotations } of alerts()) {
      const section = `docs/operations/runbook.md#${alert.toLowerCase()}`;
      assert.equal(annotations['runbook'], section, alert);
    }
  });

  it('becomes a link in each alert by the address of a repository', () => {
    const text = read('k8s/observability/alerts.yaml');
    const paths = text.match(/runbook: docs/g) ?? [];
    let linked = text;
    for (const base of ['https://a.example/docs/old', 'https://git.example.com/w/blob/main/']) {
      linked = linkRunbook(linked, base);
    }
    const url =
      'runbook_url: https://git.example.com/w/blob/main/docs/operations/runbook.md#weather';
    assert.equal(linked.split(url).length - 1, paths.length);
    assert.doesNotMatch(linked, /runbook: |a\.example/);
  });

  it('has alerts that fire and resolve in a file *.promtool.yaml of test/deploy/', () => {
    const tests = readdirSync(join(ROOT, 'test/deploy')).filter((name) =>
      name.endsWith('.promtool.yaml'),
    );
    const texts = tests.map((name) => read(join('test/deploy', name))).join('');
    assert.deepEqual([...new Set(texts.match(/(?<=alertname=")\w+/g))].sort(), names);
  });

  it('has alerts whose rules for the Prometheus Operator are what `npm run docs:alerts` writes', () => {
    assert.deepEqual(parse(readFileSync(PROMETHEUS_RULE, 'utf8')), prometheusRule());
  });

  it('has the status page of every provider', () => {
    const listed = rowsOf(sectionOf(runbook, '### Status of the providers'));
    const names = PROVIDERS.map(([name]) => `\`${name}\``);
    assert.deepEqual(listed.map(([name]) => name).sort(), names.sort());
  });

  it('names the keys of Redis as the service does', () => {
    const names = Object.values(createNames('weather', 0));
    const ours = names.map((name) => (typeof name === 'string' ? name : name('any'))).join();
    const named = [...new Set(runbook.match(/weather:[a-z]+\d+:/g))];
    assert.ok(named.length > 1, 'keys are found');
    assert.deepEqual(
      named.filter((name) => !ours.includes(name)),
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

  it('has the first step for data of a wrong time', () => {
    const row = /^\| no_data: the weather is old.*$/m.exec(runbook)?.[0] ?? '';
    const messages = code.flatMap((text) =>
      [...text.matchAll(/noData\('([^']+)'\)/g)].map(([, message = '']) => message),
    );
    assert.ok(messages.length > 3, 'messages are found');
    assert.deepEqual(
      messages.filter((message) => !row.includes(message)),
      [],
    );
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
