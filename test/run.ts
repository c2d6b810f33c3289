import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCommand } from './support/packages.js';

/**
 * Runs the test suite: `npm test`, or with folders or files as arguments only those.
 * What the tests need and the machine lacks is fetched first.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Suites with commands of their own: they need a browser, a cluster client, or a long time. */
const APART = new Set(['browser', 'chaos', 'deploy', 'nightly', 'soak']);

function testFiles(folder: string, apart = new Set<string>()): string[] {
  if (folder.endsWith('.test.ts')) return [folder];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return apart.has(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

try {
  ensureCommand('redis-server', 'redis-server');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const asked = process.argv.slice(2);
const files =
  asked.length > 0 ? asked.flatMap((path) => testFiles(path)) : testFiles('test', APART);
const runner = spawn(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-concurrency=2', ...files.sort()],
  { cwd: ROOT, stdio: 'inherit' },
);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
process.on('SIGINT', () => spawnSync('kill', ['-INT', String(runner.pid)]));
