import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from './files.js';

/** What `dist` is made from, besides the packages that the lock file names. */
const SOURCES = [
  'src',
  'tools/build',
  'tools/gazetteer',
  'tools/openapi',
  'tsconfig.json',
  'package-lock.json',
];
/** Its time is when the last build began: what changes meanwhile is newer. */
const STAMP = '.cache/built';

/** Notes that `dist` is up to date with all that had changed until then. @param begun in ms since 1970 */
export function noteBuild(root: string, begun: number): void {
  const path = join(root, STAMP);
  writeFile(path, Buffer.from('see tools/build/freshness.ts\n'));
  utimesSync(path, begun / 1000, begun / 1000);
}

/** Whether `dist` is there and nothing that it is made from has changed since the last build. */
export function isBuilt(root: string): boolean {
  if (!existsSync(join(root, 'dist/server.js')) || !existsSync(join(root, STAMP))) return false;
  const built = statSync(join(root, STAMP)).mtimeMs;
  return SOURCES.every((path) => newestIn(join(root, path)) < built);
}

/** The time of the newest file or folder; a folder's is that of its last new or deleted entry. */
function newestIn(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(stats.mtimeMs, ...entries.map((name) => newestIn(join(path, name))));
}
