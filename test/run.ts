import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { build } from '../tools/build/build.js';
import { writeFile } from '../tools/build/files.js';
import { isBuilt } from '../tools/build/freshness.js';
import { ensureCommand } from './support/packages.js';
import { SEED } from './support/seed.js';
import { isUnitTest, testFiles } from './support/test-files.js';

/**
 * Runs tests: `tsx test/run.ts [options] [files or folders]`. Without a file or a folder it runs all but those
 * with commands of their own. `--unit` leaves out every file that needs more than Node.js. Other options go to
 * Node's test runner, such as `--test-name-pattern=cache`. The processes under test are those of `dist/`, which
 * is built first when a source is newer.
 */

const ROOT = join(import.meta.dirname, '..');
/** They need a browser, a container engine's tools, a cluster, another version, or a long time. */
const APART = new Set([
  'browser',
  'chaos',
  'compose',
  'dashboards',
  'deploy',
  'kubernetes',
  'nightly',
  'soak',
  'upgrade',
]);
/** Here are most of the files that take ten seconds and more. */
const LONG = ['test/faults/', 'test/redis/'];
/** Node.js 20 counts it for a file, later versions for a test. Only what hangs takes so long. */
const TIMEOUT_MS = 300_000;
const REPORTER = '.cache/reporter.mjs';

process.chdir(ROOT);
if (!isBuilt(ROOT)) {
  process.stderr.write('a source is newer than dist/: building ');
  await build(ROOT, (text) => process.stderr.write(text));
  process.stderr.write('\n');
}
const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-') && argument !== '--unit');
const paths = given.filter((argument) => !argument.startsWith('-'));
const named =
  paths.length > 0 ? paths.flatMap((path) => testFiles(path)) : testFiles('test', APART);
const files = given.includes('--unit') ? named.filter(isUnitTest) : named;
/** The lower, the sooner it begins: at the end no core waits for a long one. */
const turnOf = (file: string) =>
  isUnitTest(file) ? 2 : LONG.some((folder) => file.startsWith(folder)) ? 0 : 1;

// Node.js loads it without tsx.
const { outputFiles } = buildSync({
  entryPoints: ['test/support/reporter.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
writeFile(REPORTER, outputFiles[0]!.contents);

if (!files.every(isUnitTest)) ensureCommand('redis-server', 'redis-server');

console.log(`TEST_SEED=${SEED}: set it to draw the same again`);
const runner = spawn(
  process.execPath,
  [
    ...['--import', 'tsx', '--test'],
    // Else a failed test is reported at a line of the translated file.
    '--enable-source-maps',
    ...['--test-reporter', `./${REPORTER}`, '--test-reporter-destination', 'stdout'],
    // They mostly wait: one for each core would leave it unused. With more, processes become late.
    `--test-concurrency=${Math.ceil(2.5 * availableParallelism())}`,
    // Of an option that is given twice, Node.js takes the last.
    `--test-timeout=${TIMEOUT_MS}`,
    ...options,
    ...files
      .map((file) => ({ file, turn: turnOf(file) }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ file }) => file),
  ],
  { stdio: 'inherit', env: { ...process.env, TEST_SEED: String(SEED) } },
);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
process.on('SIGINT', () => runner.kill('SIGINT'));
