import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from './bench-process.js';

/** Compiles a program of `programs/` to JavaScript: a loader at run time would add to its cost. */
export function compileProgram(name: string): string {
  // Inside the checkout, so that the program finds the packages.
  const folder = join(ROOT, 'dist/bench');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.js`);
  const source = join(import.meta.dirname, `programs/${name}.ts`);
  buildSync({ entryPoints: [source], outfile, format: 'esm', platform: 'node' });
  return outfile;
}
