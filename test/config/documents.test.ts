import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { documents } from '../../tools/docs/files.js';

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
