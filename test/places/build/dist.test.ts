import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, buildGazetteer } from '../../../tools/build/build.js';
import { recipe } from '../../../tools/build/gazetteer.js';
import { PACKAGES } from '../../../tools/gazetteer/packages.js';

/** Builds in a copy of the repository, with a short program as `tools/gazetteer/main.ts`. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = 'tools/gazetteer/main.ts';

let root: string;
const at = (path: string) => join(root, path);
const text = (path: string) => readFileSync(at(path), 'utf8');
const write = (path: string, content: string) => {
  writeFileSync(at(path), content);
};

/** Builds the gazetteer, and returns the reported line. */
async function reported(): Promise<string> {
  let line = '';
  await buildGazetteer(root, (part) => {
    line += part;
  });
  return line;
}

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'weather-dist-'));
  for (const name of ['src', 'tools', 'tsconfig.json', 'package.json']) {
    cpSync(join(ROOT, name), at(name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  }
  // The short program does not read the packages, so one file stands for each.
  for (const name of PACKAGES) {
    mkdirSync(at(`node_modules/${name}`), { recursive: true });
    write(`node_modules/${name}/data.txt`, name);
  }
  // The bundle includes some of the other packages.
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!existsSync(at(`node_modules/${name}`))) {
      symlinkSync(join(ROOT, 'node_modules', name), at(`node_modules/${name}`));
    }
  }
});

after(async () => {
  await rm(root, { recursive: true });
});

describe('the key of the gazetteer', () => {
  it('changes with every source, also in src, and with every data file, but not with a comment', () => {
    const { key } = recipe(root);
    const keyAfter = (path: string, from: string, to: string): string => {
      const content = text(path);
      write(path, content.replace(from, to));
      const changed = recipe(root).key;
      write(path, content);
      return changed;
    };
    const changes: [path: string, from: string, to: string][] = [
      ['src/places/names/fold.ts', "ß: 'ss'", "ß: 'sz'"],
      ['tools/gazetteer/population.ts', '100_000', '100_001'],
      ['tools/gazetteer/zone-cities/zone-cities.json', 'Andorra', 'Andorre'],
      ['node_modules/kdbush/data.txt', 'kdbush', 'more'],
    ];
    for (const [path, from, to] of changes) assert.notEqual(keyAfter(path, from, to), key, path);
    assert.equal(keyAfter('src/places/names/fold.ts', '', '// more\n'), key);
  });
});

describe('a build', () => {
  const GAZETTEER = 'dist/places/gazetteer.bin';
  const makes = (content: string) => {
    write(PROGRAM, `export default (say) => (say('places'), Buffer.from('${content}'))`);
  };

  it('makes the gazetteer if one of its sources has changed, and uses the cache otherwise', async () => {
    makes('first');
    await reported();
    assert.equal(text(GAZETTEER), 'first');
    makes('second');
    assert.match(await reported(), /once per clone\): places/);
    assert.equal(text(GAZETTEER), 'second');
    makes('first');
    assert.match(await reported(), /unchanged/);
    assert.equal(text(GAZETTEER), 'first');
  });

  it('removes other files from dist', async () => {
    write('dist/places/gone.js', '');
    await build(root, () => undefined);
    assert.ok(!existsSync(at('dist/places/gone.js')));
    assert.ok(existsSync(at('dist/http/page/browser/index.html')));
  });
});
