import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from './files.js';

/** The sources of `dist`. The lock file stands for the packages. */
const SOURCES = [
  'src',
  'tools/build',
  'tools/gazetteer',
  'tools/openapi',
  'tsconfig.json',
  'package-lock.json',
];
/** A file whose modification time is the start of the last build. */
const STAMP = '.cache/built';

/** Records that `dist` is up to date with the sources of an instant. @param startedAt Unix ms */
export function noteBuild(root: string, startedAt: number): void {
  const path = join(root, STAMP);
  writeFile(path, Buffer.from('see tools/build/freshness.ts\n'));
  utimesSync(path, startedAt / 1000, startedAt / 1000);
}

/** Returns whether `dist` exists and no source has changed since the last build. */
export function isBuilt(root: string): boolean {
  if (!existsSync(join(root, 'dist/server.js')) || !existsSync(join(root, STAMP))) return false;
  const built = statSync(join(root, STAMP)).mtimeMs;
  return SOURCES.every((path) => newestIn(join(root, path)) < built);
}

/** Returns the time of the newest file or folder. A folder changes with each of its entries. */
function newestIn(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(stats.mtimeMs, ...entries.map((name) => newestIn(join(path, name))));
}
