import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Every `*.test.ts` at or below a path.
 * @param leftOut names of folders that are excluded
 * @throws if there is no such file or folder
 */
export function testFiles(path: string, leftOut: ReadonlySet<string> = new Set()): string[] {
  if (!existsSync(path)) throw new Error(`no such file or folder: ${path}`);
  if (path.endsWith('.test.ts')) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : testFiles(inner, leftOut);
    return entry.name.endsWith('.test.ts') ? [inner] : [];
  });
}

/** Groups consecutive files. @param maxFiles per group */
export function inGroups(files: readonly string[], maxFiles: number): string[][] {
  const count = Math.ceil(files.length / maxFiles);
  return Array.from({ length: count }, (_, n) => files.slice(n * maxFiles, (n + 1) * maxFiles));
}

/** Merges two lists so that both are spread evenly, and each keeps its order. */
export function mixed<T>(first: readonly T[], second: readonly T[]): T[] {
  const placed = [first, second].flatMap((list) =>
    list.map((value, index) => ({ value, at: (index + 0.5) / list.length })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

/**
 * Whether a test file needs nothing but Node.js: neither the file nor its imports use the helpers
 * that start processes (`support/child-processes.ts`) or install commands (`support/packages.ts`).
 */
export function isUnitTest(file: string): boolean {
  const needsMore = ['child-processes.ts', 'packages.ts'].map((name) =>
    join(import.meta.dirname, name),
  );
  const reached = withImports(resolve(file));
  return !needsMore.some((helper) => reached.has(helper));
}

/** A source file and all files that it imports, directly or not, as absolute paths. */
export function withImports(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file) || !existsSync(file)) return reached;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, target = ''] of text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g)) {
    withImports(resolve(dirname(file), target.replace(/\.js$/, '.ts')), reached);
  }
  return reached;
}
