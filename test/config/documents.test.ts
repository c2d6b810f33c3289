import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const example = read('.env.example');
const assignments = [...example.matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)].map(
  ([, commented, name = '', value = '']) => ({ name, value, set: commented === undefined }),
);

describe('.env.example', () => {
  it('names every variable that the configuration reads, in its order, and no other', () => {
    assert.deepEqual(
      assignments.map(({ name }) => name),
      VARIABLE_NAMES,
    );
  });

  it('sets each variable to its default', () => {
    const env = Object.fromEntries(
      assignments.filter(({ set }) => set).map(({ name, value }) => [name, value]),
    );
    assert.deepEqual(loadConfig(env), loadConfig({}));
  });

  it('gives values that are valid where it only shows them', () => {
    const shown = assignments.filter(({ set, value, name }) => {
      return !set && value !== '' && !/CLUSTER|SENTINEL/.test(name);
    });
    loadConfig(Object.fromEntries(shown.map(({ name, value }) => [name, value])));
  });
});

describe('README', () => {
  it('describes every variable in its table, and no other', () => {
    const rows = [...read('README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) *\|/gm)];
    const names = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)]);
    assert.deepEqual(
      names.map(([, name]) => name),
      VARIABLE_NAMES,
    );
  });
});
