import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { keyVariable, REMOTE_PROVIDER_NAMES } from '../../src/config/providers.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { documents } from '../../tools/docs/files.js';
import { codeIn, rowsOf } from '../support/markdown.js';

const all = await documents();
const textOf = (name: string) => all.find((each) => each.name === name)?.text ?? '';
const example = textOf('.env.example');
const assignments = [...example.matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)].map(
  ([, commented, name = '', value = '']) => ({ name, value, set: commented === undefined }),
);

describe('the documents and manifests with variables', () => {
  for (const { name, text, expected } of all) {
    it(`${name} is what \`npm run docs:config\` writes`, () => {
      // The whole documents would hide the message.
      assert.ok(text === expected, `${name} is outdated: run \`npm run docs:config\``);
    });
  }
});

describe('.env.example', () => {
  it('sets no variable, because Compose reads a copy of it and has other defaults', () => {
    assert.deepEqual(
      assignments.filter(({ set }) => set),
      [],
    );
  });

  it('shows valid values', () => {
    const shown = assignments.filter(({ set, value, name }) => {
      return !set && value !== '' && !/CLUSTER|SENTINEL/.test(name);
    });
    loadConfig(Object.fromEntries(shown.map(({ name, value }) => [name, value])));
  });
});

describe('docs/operations/deploy.md', () => {
  it('names every variable of the service that docker-compose.yml reads from .env, and no other', () => {
    const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    const keys = REMOTE_PROVIDER_NAMES.map(keyVariable);
    /** The names without those of Compose itself, and without the API keys, which follow from the providers. */
    const ours = (names: string[]) =>
      VARIABLE_NAMES.filter((name) => names.includes(name) && !keys.includes(name));
    const passed = read('docker-compose.yml').matchAll(/^ +(\w+): \$\{\1:-/gm);
    const [, text = ''] = read('docs/operations/deploy.md').split('`.env` may also contain:');
    const [table = '', list = ''] = text.split('\n\nThese go to the service as they are: ');
    const inTable = rowsOf(table).map(([name = '']) => name);
    const named = [...inTable, list.split('\n\n')[0] ?? ''].flatMap(codeIn);
    assert.deepEqual(ours(named), ours(Array.from(passed, ([, name = '']) => name)));
  });
});
