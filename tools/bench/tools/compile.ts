import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ROOT } from './processes.js';

const SOURCES = fileURLToPath(new URL('../programs/', import.meta.url));
/** Within the checkout, so that the programs find the packages. */
const TARGET = join(ROOT, 'dist/bench');

/** Makes a program of `programs/` what plain node runs: a loader at run time would cost it. */
export function compileProgram(name: string): string {
  mkdirSync(TARGET, { recursive: true });
  const source = join(SOURCES, `${name}.ts`);
  const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
    fileName: basename(source),
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const target = join(TARGET, `${name}.js`);
  writeFileSync(target, outputText);
  return target;
}
