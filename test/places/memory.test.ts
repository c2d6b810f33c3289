import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** Measures the heap in bytes that importing a module takes, in a separate process. */
function heapOf(module: string): number {
  const url = new URL(`../../src/${module}`, import.meta.url).href;
  const script = `
    gc(); gc();
    const before = process.memoryUsage().heapUsed;
    await import(${JSON.stringify(url)});
    gc(); gc();
    console.log(process.memoryUsage().heapUsed - before);`;
  const options = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', script];
  return Number(execFileSync(process.execPath, options, { encoding: 'utf8' }));
}

describe('importing the gazetteer', () => {
  it('loads neither places nor borders, because a worker imports it but does not use it', () => {
    const bytes = heapOf('places/gazetteer.ts');
    assert.ok(bytes < 2_000_000, `${bytes} bytes`);
  });
});
