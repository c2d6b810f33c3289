import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { keyVariable, PROVIDERS } from '../../src/config/providers.js';
import { documents } from '../../tools/docs/files.js';

const all = await documents();
const textOf = (name: string) => all.find((each) => each.name === name)?.text ?? '';
const example = textOf('.env.example');
const assignments = [...example.matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)].map(
  ([, commented, name = '', value = '']) => ({ name, value, set: commented === undefined }),
);

describe('the documents that list every variable', () => {
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

const KEY_VARIABLES = PROVIDERS.filter(([, { apiKey }]) => apiKey).map(([name]) =>
  keyVariable(name),
);

describe('the manifests', () => {
  for (const name of [
    'docker-compose.yml',
    'k8s/base/api.yaml',
    'k8s/components/worker/worker.yaml',
  ]) {
    it(`${name} passes the API key of each provider to the processes`, () => {
      const manifest = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
      const missing = KEY_VARIABLES.filter((each) => !new RegExp(`\\b${each}\\b`).test(manifest));
      assert.deepEqual(missing, [], `${name} has no ${missing.join(', ')}`);
    });
  }
});

describe('docs/operations/deploy.md', () => {
  const deploy = readFileSync(new URL('../../docs/operations/deploy.md', import.meta.url), 'utf8');
  const parts = {
    'the variables of Compose': /These go to the service as they are: ([^]*?)\n\n/,
    'the Secret of Kubernetes': /\*\*The Secret\.\*\* It may also have ([^]*?)\. All other/,
  };
  for (const [what, part] of Object.entries(parts)) {
    it(`names the API key of each provider in ${what}`, () => {
      const listed = part.exec(deploy)?.[1] ?? '';
      assert.deepEqual(
        KEY_VARIABLES.filter((each) => !listed.includes(`\`${each}\``)),
        [],
      );
    });
  }
});
