import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build } from '../tools/build/build.js';
import { isBuilt } from '../tools/build/freshness.js';
import { compileTests, writePrograms } from './support/compile-tests.js';
import { ensureCommand } from './support/packages.js';
import { SEED } from './support/seed.js';
import { inGroups, isUnitTest, mixed, testFiles } from './support/test-files.js';

/**
 * Runs tests: `tsx test/run.ts [options] [files or folders]`. Without files and folders it runs all
 * folders but those in `SEPARATE`. `--unit` runs only the files that need nothing but Node.js. It
 * passes other options to Node's test runner, for example `--test-name-pattern=cache`. The tests
 * start the processes in `dist/`, which is built first if a source is newer.
 */

const ROOT = join(import.meta.dirname, '..');
/** Folders with their own command: they need a browser, containers, another version, or time. */
const SEPARATE = new Set(['browser', 'chaos', 'compose', 'deploy', 'nightly', 'soak', 'upgrade']);
/**
 * Programs that run at the same time, two for each core. They wait most of the time. More: the
 * tests' processes become late, and tests of time limits fail. Fewer: the cores are idle.
 */
const PROGRAMS = 2 * availableParallelism();
/**
 * Maximum number of test files of a program. More: the last program runs alone for longer. Fewer:
 * loading the modules takes half a second of CPU time per program.
 */
const FILES_PER_PROGRAM = { unit: 16, others: 5 };
/** Milliseconds, per program in Node.js 20, later per test. Only a hung test takes this long. */
const TIMEOUT_MS = 300_000;

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
  paths.length > 0 ? paths.flatMap((path) => testFiles(path)) : testFiles('test', SEPARATE);
const files = given.includes('--unit') ? named.filter(isUnitTest) : named;
/** Folders whose programs mostly wait. They start first: as the last, they leave cores idle. */
const isLong = (file: string) => /^test\/(faults|hostile|process|redis)\//.test(file);
const [unit, others] = [files.filter(isUnitTest), files.filter((file) => !isUnitTest(file))];
others.sort((a, b) => Number(isLong(b)) - Number(isLong(a)));

compileTests(ROOT, files);

/** Groups files so that a few files, such as those of one folder, also run at the same time. */
const groupsOf = (list: string[], maxFiles: number) =>
  inGroups(list, Math.min(maxFiles, Math.ceil(list.length / PROGRAMS)));

if (others.length > 0) ensureCommand('redis-server', 'redis-server');

console.log(`TEST_SEED=${SEED}: set it to repeat this run`);
const runner = spawn(
  process.execPath,
  [
    '--test',
    // Without it, a failed test is reported with a line number of the compiled file.
    '--enable-source-maps',
    '--test-reporter=spec',
    `--test-concurrency=${PROGRAMS}`,
    // If an option is given twice, Node.js uses the last.
    `--test-timeout=${TIMEOUT_MS}`,
    ...options,
    // Files that mostly compute run beside files that mostly wait, so that no core is idle.
    ...writePrograms(
      ROOT,
      mixed(groupsOf(others, FILES_PER_PROGRAM.others), groupsOf(unit, FILES_PER_PROGRAM.unit)),
    ),
  ],
  { stdio: 'inherit', env: { ...process.env, TEST_SEED: String(SEED) } },
);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
process.on('SIGINT', () => runner.kill('SIGINT'));
