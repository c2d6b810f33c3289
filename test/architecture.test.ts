import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAME, SERVICE_VERSION } from '../src/base/version.js';
import { texts } from '../tools/openapi/description.js';
import { withImports } from './support/test-files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');

/** The parts that each part may import. A part is a folder of `src`, or the name of a file. */
const EVERYWHERE = ['base', 'text', 'dist-folder'];
/** The parts that both kinds of store import. */
const STORE = ['store', 'weather', 'limits', 'process/context'];
const ALLOWED: Record<string, string[]> = {
  base: [],
  text: [],
  weather: [],
  limits: [],
  upstream: ['weather', 'limits/rate-limit-window'],
  http: ['weather', 'limits', 'config/providers', 'process/bounded-server', 'process/log'],
  memory: [...STORE],
  redis: [...STORE, 'config', 'process/lifecycle', 'process/log'],
  providers: ['weather', 'upstream', 'config', 'places/names/fold'],
  places: ['weather'],
  config: ['weather', 'limits/rate-limit-window', 'limits/clients-file'],
  process: ['config', 'store', 'weather', 'upstream/call-budgets', 'limits/limiter'],
};

interface Import {
  file: string;
  target: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : [];
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const pattern =
    /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\b(?:import|require)\(\s*['"`]([^'"`]+)/gms;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

const files = sourceFiles(SRC);
const local: Import[] = files.flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => ({
      file: relative(SRC, file),
      target: relative(SRC, join(dirname(file), target)).replace(/\.js$/, ''),
    })),
);

const partOf = (path: string) => path.replace(/\.ts$/, '').split('/')[0] ?? '';

describe('imports point one way', () => {
  for (const [part, allowed] of Object.entries(ALLOWED)) {
    it(`${part} imports nothing but ${[...EVERYWHERE, ...allowed].join(', ')}`, () => {
      const mayImport = [part, ...EVERYWHERE, ...allowed];
      const wrong = local.filter(
        ({ file, target }) =>
          partOf(file) === part &&
          !mayImport.some((other) => target === other || target.startsWith(`${other}/`)),
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('no part may import another one that it does not import', () => {
    const unused = Object.entries(ALLOWED).flatMap(([part, allowed]) =>
      allowed
        .filter(
          (other) =>
            !local.some(
              ({ file, target }) =>
                partOf(file) === part && (target === other || target.startsWith(`${other}/`)),
            ),
        )
        .map((other) => `${part} → ${other}`),
    );
    assert.deepEqual(unused, []);
  });

  it('no files import each other in a circle', () => {
    const left = new Set(files.map((file) => relative(SRC, file).replace(/\.ts$/, '')));
    const isLeaf = (name: string) =>
      !local.some(({ file, target }) => file === `${name}.ts` && left.has(target));
    for (let leaves = ['']; leaves.length > 0;) {
      leaves = [...left].filter(isLeaf);
      for (const name of leaves) left.delete(name);
    }
    assert.deepEqual([...left], []);
  });

  it('the service imports nothing from outside src, such as tools', () => {
    assert.deepEqual(
      local.filter(({ target }) => target.startsWith('..')),
      [],
    );
  });

  it('the domain knows no framework and no store, but the log and the sun', () => {
    const packages = files
      .filter((file) => relative(SRC, file).startsWith('weather/'))
      .flatMap(importsOf)
      .filter((target) => !target.startsWith('.'));
    assert.deepEqual(
      packages.filter((name) => !['pino', 'suncalc'].includes(name)),
      [],
    );
  });

  it('only the first message of MCP loads the package for it', () => {
    const importers = files.filter((file) =>
      importsOf(file).some((target) => target.startsWith('@modelcontextprotocol/')),
    );
    assert.deepEqual(
      importers.map((file) => relative(SRC, file)),
      ['http/mcp/mcp-server.ts'],
    );
    const loaders = files.filter((file) =>
      /^import (?!type ).*\/mcp-server\.js'/m.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(loaders, []);
  });

  it('only the configuration reads the environment', () => {
    const readers = files.filter((file) =>
      /\bprocess\.env\b|from 'node:process'/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(
      readers.map((file) => relative(SRC, file)),
      ['config/config.ts'],
    );
  });
});

describe('the package', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    description: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

  it('has the name and version that the service reports', () => {
    assert.equal(manifest.name, SERVICE_NAME);
    assert.equal(manifest.version, SERVICE_VERSION);
  });

  it('has the description of the API, as the label of the image has it', () => {
    assert.equal(manifest.description, texts['summary']);
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    assert.ok(dockerfile.includes(`.description="${texts['summary']}"`));
  });

  it('pins its dependencies', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(
      versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });

  it('runs no install script of a dependency', () => {
    assert.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
  });

  it('installs nothing on a version of Node.js that it does not support', () => {
    assert.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^engine-strict=true$/m);
  });

  it('names no registry in its lock file', () => {
    assert.doesNotMatch(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), /"resolved": "http/);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  // `npm run build` and `npm run build:gazetteer` run in the image before all sources are copied.
  for (const [command, ...entries] of [
    ['npm run build', 'tools/build/main.ts'],
    // The first bundles the second.
    ['npm run build:gazetteer', 'tools/build/gazetteer.ts', 'tools/gazetteer/main.ts'],
  ] as const) {
    it(`has every file that \`${command}\` imports`, () => {
      const [before = ''] = dockerfile.split(`RUN ${command}\n`);
      const copied = [...before.matchAll(/^COPY ((?:src|tools).*) /gm)].flatMap(([, paths = '']) =>
        paths.split(' '),
      );
      const missing = entries
        .flatMap((entry) => [...withImports(join(ROOT, entry))])
        .map((file) => relative(ROOT, file))
        .filter((file) => !copied.some((path) => `${file}/`.startsWith(`${path}/`)));
      assert.deepEqual(missing, []);
    });
  }
});
