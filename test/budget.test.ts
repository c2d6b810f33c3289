import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** Lines of TypeScript in each folder, at most: a little above what it has. Who needs more says so in the same commit. */
const BUDGETS: Record<string, Record<string, number>> = {
  src: {
    config: 822,
    http: 4552,
    limits: 280,
    memory: 315,
    places: 2220,
    process: 1055,
    providers: 1200,
    redis: 3350,
    upstream: 890,
    weather: 990,
  },
  test: {
    bench: 250,
    browser: 1220,
    chaos: 960,
    compose: 810,
    config: 510,
    conformance: 3320,
    contracts: 1660,
    dashboards: 760,
    'debian-engine': 450,
    deploy: 3280,
    faults: 3450,
    hostile: 390,
    http: 1660,
    kubernetes: 660,
    limits: 305,
    memory: 60,
    nightly: 660,
    places: 2335,
    process: 810,
    providers: 970,
    redis: 3848,
    soak: 300,
    support: 3635,
    upgrade: 470,
    upstream: 1380,
    weather: 670,
  },
  tools: {
    alerts: 70,
    bench: 2690,
    build: 360,
    docs: 200,
    gazetteer: 3396,
    places: 870,
    release: 120,
  },
};

function linesIn(folder: string): number {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => path.endsWith('.ts') && !path.includes('node_modules/'));
  const lengths = files.map(
    (path) => readFileSync(join(ROOT, folder, path), 'utf8').split('\n').length - 1,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

describe('the lines of code', () => {
  for (const [top, budgets] of Object.entries(BUDGETS)) {
    it(`of each folder in ${top}/ keep to its budget`, () => {
      const folders = readdirSync(join(ROOT, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
        .map(({ name }) => name);
      assert.deepEqual(folders.sort(), Object.keys(budgets).sort());
      const over = folders
        .map((name) => ({ name, lines: linesIn(join(top, name)), budget: budgets[name]! }))
        .filter(({ lines, budget }) => lines > budget);
      assert.deepEqual(over, []);
    });
  }
});
