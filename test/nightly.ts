import { spawnSync } from 'node:child_process';
import { readSeed } from './support/seed.js';

/**
 * `npm run test:nightly [-- part …]`: tests that take minutes or draw at random. All parts run,
 * even if some fail. Each night has another seed, also in CI: `TEST_SEED=<number>` repeats it.
 */

const SEED = readSeed({ ...process.env, CI: '' });
/** For one file or test: one hour. */
const LONG = '--test-timeout=3600000';

const tests = (paths: string) => `npx tsx test/run.ts ${LONG} ${paths}`;
/** The tests of all topologies of Redis, with another server than the one of this machine. */
const withServer = (name: string) =>
  `PATH="$(npx tsx test/nightly/other-redis.ts ${name}):$PATH" ` +
  tests('test/conformance test/redis test/faults test/nightly/faults');

const PARTS: { name: string; command: string }[] = [
  { name: 'nightly', command: tests('test/nightly') },
  { name: 'compose', command: tests('--test-concurrency=1 test/compose') },
  { name: 'redis-8', command: withServer('redis') },
  { name: 'valkey-8', command: withServer('valkey') },
  { name: 'upgrade', command: `npx tsx test/upgrade/build.ts && ${tests('test/upgrade')}` },
  { name: 'soak', command: tests('test/soak') },
  { name: 'chaos', command: `CHAOS_MINUTES=4 ${tests('test/chaos')}` },
  // Half an hour: 10 to 20 ms each, for five tests in one file. Each night tries others.
  { name: 'interleavings', command: `MODEL_RUNS=20000 ${tests('test/model')}` },
  { name: 'fuzz', command: `FUZZ_CONNECTIONS=40000 ${tests('test/hostile/fuzz.test.ts')}` },
  // Alone on the machine, so with the bound that is promised.
  { name: 'cost', command: `COST_LIMIT=10 ${tests('test/hostile/cost.test.ts')}` },
  {
    name: 'properties',
    command:
      'PROPERTY_RUNS=3000 ' +
      tests('test/contracts test/http/edge test/places test/redis test/text test/weather'),
  },
  { name: 'bench', command: 'node --import tsx tools/bench/main.ts --check' },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  const names = PARTS.map(({ name }) => name).join(', ');
  console.error(`no such part: ${unknown.join(', ')}. Parts: ${names}.`);
  process.exit(2);
}
console.log(`TEST_SEED=${SEED}`);
const parts = PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const failed = parts.filter(({ name, command }) => {
  console.log(`\n== ${name}: ${command}`);
  const env = { ...process.env, TEST_SEED: String(SEED) };
  return spawnSync(command, { shell: true, stdio: 'inherit', env }).status !== 0;
});
if (failed.length > 0) {
  console.log(`failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
